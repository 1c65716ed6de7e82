package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
)

// A finder returns the names that a node of a source file holds.
type finder func(n ast.Node) []string

// find returns the names that f finds in a Go file, each once, in their order.
func find(path string, f finder) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		return nil, err
	}
	var names []string
	seen := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		for _, name := range f(n) {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
		return true
	})
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: found no names", path)
	}
	return names, nil
}

// keysIn finds the string keys of composite literals in a function.
func keysIn(function string) finder {
	return inFunc(function, func(n ast.Node) []string {
		if kv, ok := n.(*ast.KeyValueExpr); ok {
			return text(kv.Key)
		}
		return nil
	})
}

// namesIn finds the first arguments of calls of a method.
func namesIn(method string) finder {
	return func(n ast.Node) []string {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return nil
		}
		if s, ok := call.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == method {
			return text(call.Args[0])
		}
		return nil
	}
}

// namesInFunc finds the first arguments of calls of a method in a function.
func namesInFunc(function, method string) finder { return inFunc(function, namesIn(method)) }

// inFunc lets f see only what lies in a function.
func inFunc(function string, f finder) finder {
	return func(n ast.Node) []string {
		decl, ok := n.(*ast.FuncDecl)
		if !ok || decl.Name.Name != function {
			return nil
		}
		var names []string
		ast.Inspect(decl, func(n ast.Node) bool {
			names = append(names, f(n)...)
			return true
		})
		return names
	}
}

// text returns the value of a string literal, or nothing.
func text(e ast.Expr) []string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return nil
	}
	value, err := strconv.Unquote(lit.Value)
	if err != nil {
		return nil
	}
	return []string{value}
}

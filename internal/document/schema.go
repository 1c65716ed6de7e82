package document

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/terrane/terrane/internal/document/syntax"
)

// SchemaID is the identity of the schema. It is a name, not an address.
const SchemaID = "urn:terrane:document:1"

// object is a part of a JSON Schema.
type object = map[string]any

// Schema returns the JSON Schema (2020-12) of documents, for editors to complete and check them by. What only the
// whole document tells, like what a name means, a schema cannot see; [Parse] does.
func Schema() []byte {
	top := object{}
	for _, k := range topKeys {
		top[k.name] = object{"description": sentence(k.about)}
	}
	describe(top, "terrane", object{"const": 1, "type": "integer"})
	describe(top, "name", object{"type": "string", "maxLength": 200})
	describe(top, "about", object{"type": "string", "maxLength": 4000})
	describe(top, "seed", object{"type": "integer", "default": 1, "minimum": -1 << 63, "maximum": 1<<63 - 1})
	describe(top, "cell", object{"const": 1, "type": "number"})
	describe(top, "parameters", names("free-name", object{"anyOf": []any{ref("decimal"), parameterSchema()}}))
	describe(top, "assets", names("free-name", object{"anyOf": []any{object{"type": "string", "maxLength": 1000}, assetSchema()}}))
	describe(top, "materials", names("", object{"anyOf": []any{ref("color"), materialSchema()}}))
	describe(top, "nodes", names("name", ref("node")))
	for _, k := range []string{"density", "ground", "material"} {
		describe(top, k, ref("node"))
	}
	var required []string
	for _, k := range topKeys {
		if k.example != "" {
			required = append(required, k.name)
		}
	}
	schema := object{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SchemaID,
		"title": "A Terrane world", "type": "object", "properties": top, "required": required, "additionalProperties": false,
		"$defs": definitions(),
	}
	out, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		panic("document: schema: " + err.Error()) // it is made of maps, lists, text and numbers
	}
	return append(out, '\n')
}

func describe(top object, key string, schema object) { maps.Copy(top[key].(object), schema) }

func ref(name string) object { return object{"$ref": "#/$defs/" + name} }

// sentence makes a sentence of a phrase.
func sentence(s string) string {
	if s == "" {
		return s
	}
	if s[0] >= 'a' && s[0] <= 'z' {
		s = string(s[0]-'a'+'A') + s[1:]
	}
	if s[len(s)-1] != '.' {
		s += "."
	}
	return s
}

// names returns the schema of a mapping of names.
func names(form string, value object) object {
	o := object{"type": []string{"object", "null"}, "additionalProperties": value}
	if form != "" {
		o["propertyNames"] = ref(form)
	}
	return o
}

// closed returns the schema of a mapping that has only these keys.
func closed(properties object, required ...string) object {
	o := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		o["required"] = required
	}
	return o
}

func parameterSchema() object {
	return closed(object{"value": ref("decimal"), "min": ref("decimal"), "max": ref("decimal"),
		"unit": object{"type": "string", "maxLength": 400}, "about": object{"type": "string", "maxLength": 400}}, "value")
}

func assetSchema() object {
	o := closed(object{
		"file":          object{"type": "string", "maxLength": 1000, "description": "A heightmap: PNG, SRTM .hgt, GeoTIFF, .asc, .r16, .r32; relative to the document."},
		"sha256":        object{"type": "string", "pattern": "^[0-9a-fA-F]{64}$", "description": "The hash of a raster that the world already has, instead of a file."},
		"sample-meters": paramSchema(&param{kind: periodParam, lo: tiny, hi: 1e6, count: [2]int{1, 2}, about: "meters between samples along x and z; as the file says if it is left out"}),
		"height-range":  paramSchema(&param{kind: vectorParam, lo: -1e6, hi: 1e6, count: [2]int{2, 2}, about: "heights of the lowest and the highest number that an image can hold"}),
	})
	o["oneOf"] = []any{object{"required": []string{"file"}}, object{"required": []string{"sha256"}}}
	return o
}

func materialSchema() object {
	return closed(object{"color": ref("color"), "roughness": paramSchema(&param{kind: numberParam, lo: 0, hi: 1, about: "from 0, a mirror, to 1, chalk", def: "1"})}, "color")
}

// definitions returns the parts that others refer to.
func definitions() object {
	kinds := make([]any, len(operations))
	defs := object{
		"free-name": object{"type": "string", "pattern": syntax.NameForm.String()},
		"name":      object{"type": "string", "pattern": syntax.NameForm.String(), "not": object{"enum": reserved}},
		"decimal": object{"anyOf": []any{object{"type": "number"}, object{"type": "string", "pattern": `^[-+]?[0-9_]*(\.[0-9]*)?([eE][-+]?[0-9]{1,3})?$`}},
			"description": "A number."},
		"use":   object{"type": "string", "pattern": `^\$[A-Za-z][A-Za-z0-9_-]{0,63}$`, "description": "The value of a parameter."},
		"color": object{"type": "string", "pattern": "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$", "description": "Red, green and blue in hexadecimal, in quotes."},
		"node": object{
			"description": "A node: its name, a number, a parameter, or a mapping with one key that says what it does.",
			"anyOf": []any{
				object{"type": "number", "minimum": -huge, "maximum": huge},
				object{"type": "string", "not": object{"pattern": `[+*/()]`}, "description": "The name of a node or a material, x, y, z, depth or $parameter."},
				ref("operation"),
			},
		},
	}
	for i := range operations {
		o := &operations[i]
		defs["op-"+o.name] = operationSchema(o)
		kinds[i] = ref("op-" + o.name)
	}
	defs["operation"] = object{"type": "object", "anyOf": kinds}
	return defs
}

// operationSchema returns the schema of an operation.
func operationSchema(o *operation) object {
	properties := object{o.name: paramSchema(&o.head)}
	required := []string{o.name}
	for i := range o.params {
		p := &o.params[i]
		properties[p.name] = paramSchema(p)
		if p.required() {
			required = append(required, p.name)
		}
	}
	s := closed(properties, required...)
	s["title"], s["description"], s["examples"] = o.name, o.about, []string{o.example}
	if o.name == "noise" {
		s["oneOf"] = []any{object{"required": []string{"period"}}, object{"required": []string{"frequency"}}}
	}
	return s
}

// paramSchema returns the schema of a parameter.
func paramSchema(p *param) object {
	o := object{}
	number := object{"anyOf": []any{object{"type": "number", "minimum": p.lo, "maximum": p.hi}, ref("use")}}
	numbers := func(n [2]int) object {
		return object{"type": "array", "items": number, "minItems": n[0], "maxItems": n[1]}
	}
	whole := object{"anyOf": []any{object{"type": "integer", "minimum": p.lo, "maximum": p.hi}, ref("use")}}
	switch p.kind {
	case numberParam:
		o = number
	case wholeParam:
		o = whole
	case seedParam:
		o["anyOf"] = []any{object{"type": "integer"}, ref("use")}
	case wordParam:
		o["enum"] = p.words
	case assetParam:
		o["type"] = "string"
	case nodeParam:
		o = maps.Clone(ref("node"))
	case nodesParam:
		o = object{"type": "array", "items": ref("node"), "minItems": p.count[0], "maxItems": p.count[1]}
	case vectorParam:
		o = numbers(p.count)
	case periodParam:
		o["anyOf"] = []any{number, numbers(p.count)}
	case placeParam:
		o["anyOf"] = placeSchemas(p, number, numbers)
	case rotationParam:
		o["anyOf"] = []any{number, closed(object{"x": number, "z": number, "y": number}),
			closed(object{"quaternion": object{"type": "array", "items": object{"type": "number", "minimum": -1e3, "maximum": 1e3}, "minItems": 4, "maxItems": 4}})}
	case pointsParam:
		pair := numbers([2]int{2, 2})
		o = object{"type": "array", "items": pair, "minItems": p.count[0], "maxItems": p.count[1]}
	case bandsParam:
		o = object{"type": "array", "items": ref("node"), "minItems": p.count[0], "maxItems": p.count[1]}
	}
	o["description"] = sentence(p.about) + p.note()
	if p.def != "" {
		var def any
		if json.Unmarshal([]byte(p.def), &def) != nil {
			def = p.def
		}
		o["default"] = def
	}
	return o
}

// placeSchemas returns the forms of a place.
func placeSchemas(p *param, number object, numbers func([2]int) object) []any {
	free := object{"type": "number", "minimum": -huge, "maximum": huge}
	list := func(item object) object {
		n := 3
		if p.count[0] == 1 {
			n = 1
		}
		o := object{"type": "array", "items": item, "minItems": n, "maxItems": n}
		if n == 1 {
			return object{"anyOf": []any{item, o}}
		}
		return o
	}
	whole := object{"type": "integer", "minimum": p.lo, "maximum": p.hi}
	return []any{list(number), closed(object{"anchor": list(whole), "offset": list(free)})}
}

// note returns the unit and range of a parameter, to stand after its description.
func (p *param) note() string {
	switch p.kind {
	case numberParam, wholeParam, vectorParam, periodParam, placeParam, pointsParam, bandsParam:
	default:
		return ""
	}
	if p.unit == "" && p.lo <= -huge && p.hi >= huge {
		return ""
	}
	return fmt.Sprintf(" %s.", p.rangeText())
}

// Operations returns the names of the language's nodes.
func Operations() []string { return slices.Clone(allNames) }

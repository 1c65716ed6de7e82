package cli

import "github.com/terrane/terrane/internal/document"

type schemaCmd struct{}

// Help is printed by `terrane schema --help`.
func (schemaCmd) Help() string {
	return `Editors that know YAML complete and check documents by it. Write it beside your documents:

  terrane schema > terrane.schema.json

and begin each document with the line

  # yaml-language-server: $schema=terrane.schema.json

(VS Code with the YAML extension, Neovim, Emacs and others read it.) What a schema cannot see, like names that
nothing has and nodes that read themselves, terrane check says.`
}

// Run prints the schema.
func (schemaCmd) Run(p *program) error {
	_, err := p.stdout.Write(document.Schema())
	return err
}

// Package wirepb is protobuf-go's reading of ../terrane.proto. Only the tests of package wire import it: the
// programs speak the protocol through package wire, which costs a WebAssembly program a small fraction of protobuf-go.
package wirepb

//go:generate sh -c "protoc --plugin=protoc-gen-go=$(go tool -n protoc-gen-go) -I .. --go_out=. --go_opt=paths=source_relative terrane.proto"

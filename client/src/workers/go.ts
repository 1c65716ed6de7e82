// Runs a Go program in a worker. wasm_exec.js comes from the Go toolchain that built the program; it defines
// the class Go.
import 'wasm_exec';

declare class Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

/**
 * Starts the engine in a role (client/engine/main.go) and resolves with the methods of that role. host holds
 * what else the program may call. stopped is called with the reason if the program ever ends, which only a
 * fault does.
 */
export async function runGo<Methods>(
  module: WebAssembly.Module,
  role: 'session' | 'builder' | 'gpu',
  host: Record<string, unknown>,
  stopped: (reason: string) => void,
): Promise<Methods> {
  const go = new Go();
  const lines = captureErrors();
  const instance = await WebAssembly.instantiate(module, go.importObject);
  return new Promise((resolve) => {
    (globalThis as unknown as { terraneHost: unknown }).terraneHost = { ...host, role, loaded: resolve };
    go.run(instance).then(
      () => stopped(lines.slice(0, 3).join(' ') || 'the program ended'),
      (error: unknown) => stopped(String(error)),
    );
  });
}

/** Keeps the first lines of a Go panic, which wasm_exec prints with console.log. */
function captureErrors(): string[] {
  const lines: string[] = [];
  const log = console.log.bind(console);
  console.log = (...words: unknown[]) => {
    if (lines.length < 40) lines.push(words.join(' '));
    log(...words);
  };
  return lines;
}

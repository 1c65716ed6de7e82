// A box of text and controls over the picture, or a page of its own.

/** Pixels: on screens as wide as a phone's the picture comes first. */
const SMALL_WIDTH = 600;

export class Panel {
  readonly node: HTMLElement;

  /** At a side it folds to its title, as it is on small screens at first. */
  constructor(title: string, kind: 'page' | 'side') {
    this.node = document.createElement(kind === 'side' ? 'details' : 'section');
    this.node.className = `panel ${kind}`;
    if (this.node instanceof HTMLDetailsElement) {
      const summary = document.createElement('summary');
      summary.append(make('h1', title));
      this.node.append(summary);
      this.node.open = innerWidth > SMALL_WIDTH;
    } else this.node.append(make('h1', title));
    document.body.append(this.node);
  }

  text(text = ''): HTMLElement {
    const p = make('p', text);
    this.node.append(p);
    return p;
  }

  /** A list of lines, each with more to say. */
  list(): { add(title: string, detail: string, bad: boolean): void } {
    const dl = document.createElement('dl');
    this.node.append(dl);
    return {
      add: (title, detail, bad) => {
        const dt = make('dt', title);
        dt.classList.toggle('bad', bad);
        dl.append(dt, make('dd', detail));
      },
    };
  }

  button(label: string, pressed: () => void): HTMLButtonElement {
    const b = make('button', label);
    b.type = 'button';
    b.onclick = pressed;
    this.node.append(b);
    return b;
  }

  /** A slider with its value beside it. */
  slider(label: string, low: number, high: number, step: number, value: number, moved: (value: number) => void): HTMLInputElement {
    const input = document.createElement('input');
    Object.assign(input, { type: 'range', min: String(low), max: String(high), step: String(step), value: String(value) });
    const shown = make('output', String(value));
    input.oninput = () => {
      shown.textContent = input.value;
      moved(Number(input.value));
    };
    const box = make('label', label);
    box.append(input, shown);
    this.node.append(box);
    return input;
  }

  choice(label: string, names: string[], chosen: (name: string) => void): HTMLSelectElement {
    const select = document.createElement('select');
    select.append(...names.map((name) => make('option', name)));
    select.onchange = () => chosen(select.value);
    const box = make('label', label);
    box.append(select);
    this.node.append(box);
    return select;
  }
}

function make<K extends keyof HTMLElementTagNameMap>(tag: K, text: string): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(tag), { textContent: text });
}

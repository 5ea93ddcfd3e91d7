// xterm under the policy of the page, which refuses style elements and style attributes: these become adopted sheets and CSSOM.
import type { Terminal } from '@xterm/xterm';

export function openUnderPolicy(terminal: Terminal, place: HTMLElement): void {
	// Colours of letters that are not in the palette; xterm draws letters in spans.
	HTMLSpanElement.prototype.setAttribute = setAttribute;
	// All style elements of a terminal are created here.
	Object.defineProperty(document, 'createElement', { value: createElement, configurable: true });
	try {
		terminal.open(place);
	} finally {
		Reflect.deleteProperty(document, 'createElement');
	}
}

function createElement(name: string): HTMLElement {
	return name === 'style' ? createSheet() : Document.prototype.createElement.call(document, name);
}

/** Stands for a style element: its text is an adopted sheet. */
function createSheet(): HTMLElement {
	const element = Document.prototype.createElement.call(document, 'i');
	const sheet = new CSSStyleSheet();
	document.adoptedStyleSheets.push(sheet);
	Object.defineProperty(element, 'textContent', { set: (text: string) => sheet.replaceSync(text) });
	element.remove = () => {
		document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
		Element.prototype.remove.call(element);
	};
	return element;
}

function setAttribute(this: HTMLElement, name: string, value: string): void {
	if (name === 'style') this.style.cssText = value;
	else Element.prototype.setAttribute.call(this, name, value);
}

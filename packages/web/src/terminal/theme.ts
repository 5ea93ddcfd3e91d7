// The colours and letters of a terminal, read from the tokens of the page as they are now.
import type { ITerminalOptions, ITheme } from '@xterm/xterm';

const ANSI = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

/** In the form that xterm reads; only a computed colour follows light and dark. */
export function readTheme(place: HTMLElement): ITheme {
	const probe = place.appendChild(document.createElement('i'));
	const colour = (token: string) => {
		probe.style.color = `var(--${token})`;
		return getComputedStyle(probe).color;
	};
	const theme: ITheme = {
		background: colour('bg'),
		foreground: colour('text'),
		cursor: colour('accent'),
		cursorAccent: colour('bg'),
		selectionBackground: colour('selection'),
		scrollbarSliderBackground: colour('line'),
		scrollbarSliderHoverBackground: colour('dim'),
		scrollbarSliderActiveBackground: colour('dim'),
	};
	for (const name of ANSI) {
		theme[name] = colour(`ansi-${name}`);
		theme[`bright${toUpperFirst(name)}`] = colour(`ansi-bright-${name}`);
	}
	probe.remove();
	return theme;
}

export function readFont(place: HTMLElement): Required<Pick<ITerminalOptions, 'fontFamily' | 'fontSize'>> {
	const { fontFamily, fontSize } = getComputedStyle(place);
	return { fontFamily, fontSize: Number.parseFloat(fontSize) };
}

/** Called when the page changes between light and dark. Returns the function that stops it. */
export function onSchemeChange(handler: () => void): () => void {
	const dark = matchMedia('(prefers-color-scheme: dark)');
	dark.addEventListener('change', handler);
	return () => dark.removeEventListener('change', handler);
}

function toUpperFirst<Text extends string>(text: Text): Capitalize<Text> {
	return `${text.charAt(0).toUpperCase()}${text.slice(1)}` as Capitalize<Text>;
}

// Keys as they are written on a keyboard.

export function Keys({ keys }: { keys: readonly string[] }) {
	return keys.map((one) => <kbd key={one}>{toWords(one)}</kbd>);
}

const SIGNS: readonly (readonly [string, string])[] = [
	['Mod+', /Mac|iP/.test(navigator.userAgent) ? '⌘' : 'Ctrl '],
	['ArrowDown', '↓'],
	['ArrowUp', '↑'],
	['Escape', 'Esc'],
];

function toWords(keys: string): string {
	return SIGNS.reduce((text, [name, sign]) => text.replace(name, sign), keys);
}

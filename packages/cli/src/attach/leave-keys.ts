// The keys that are ours while a terminal is shown: Ctrl-] and then another. Everything else goes to the program as it came.

export type Typed = { keys: Uint8Array; wishes: ('leave' | 'take')[] };

/** Ctrl-] as a plain key, and as programs can ask terminals to spell it. */
const PREFIXES = ['\x1d', '\x1b[93;5u', '\x1b[27;5;93~'];

/** Remembers a prefix that waits for its second key. */
export function createLeaveKeys(): (typed: Uint8Array) => Typed {
	let prefix = '';
	return (typed) => {
		// One letter per byte, so that nothing is lost or changed on the way.
		let rest = Buffer.from(typed).toString('latin1');
		let keys = '';
		const wishes: Typed['wishes'] = [];
		while (rest !== '') {
			const found = prefixOf(rest);
			if (prefix === '') {
				const at = found === '' ? firstPrefix(rest) : 0;
				keys += rest.slice(0, at);
				rest = rest.slice(at);
				prefix = prefixOf(rest);
				rest = rest.slice(prefix.length);
				continue;
			}
			if (found !== '') wishes.push('leave');
			else if (rest.startsWith('t')) wishes.push('take');
			else keys += prefix + rest.slice(0, 1);
			rest = rest.slice(found.length || 1);
			prefix = '';
		}
		return { keys: Buffer.from(keys, 'latin1'), wishes };
	};
}

function prefixOf(text: string): string {
	return PREFIXES.find((prefix) => text.startsWith(prefix)) ?? '';
}

function firstPrefix(text: string): number {
	const places = PREFIXES.map((prefix) => text.indexOf(prefix)).filter((at) => at >= 0);
	return places.length > 0 ? Math.min(...places) : text.length;
}

// Finds long runs of token characters by looking at few of the others: no token is shorter, and most text has none.

/** Whether some run of at least MIN_RUN letters, digits, `_` and `-` passes the test. */
export function someLongRun(text: string, test: (start: number, end: number) => boolean): boolean {
	for (let at = MIN_RUN - 1; at < text.length; ) {
		let start = at;
		while (start >= 0 && start > at - MIN_RUN && isTokenCharacter(text.charCodeAt(start))) start--;
		if (start === at - MIN_RUN) {
			const end = endOfRun(text, at + 1);
			if (test(start + 1, end)) return true;
			start = end;
		}
		// No run that holds a character up to here can be long enough.
		at = start + MIN_RUN;
	}
	return false;
}

const MIN_RUN = 15;

function endOfRun(text: string, at: number): number {
	let end = at;
	while (end < text.length && isTokenCharacter(text.charCodeAt(end))) end++;
	return end;
}

const TOKEN_CHARACTERS = Uint8Array.from({ length: 128 }, (_, code) => (/[A-Za-z0-9_-]/.test(String.fromCharCode(code)) ? 1 : 0));

function isTokenCharacter(code: number): boolean {
	return TOKEN_CHARACTERS[code] === 1;
}

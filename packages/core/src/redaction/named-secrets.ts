// Secrets that are known only by the name they are given: `DB_PASSWORD=…`, `"api_key": "…"`, `--token …`.
import type { Mark } from './mark.ts';

export function redactNamedSecrets(text: string, mark: Mark): string {
	return MAYBE_NAMED.test(text) ? redactValues(redactValues(text, ASSIGNMENT, mark), FLAG, mark) : text;
}

/** After a name that keeps no secret the search goes on right behind it: its value may be an assignment itself. */
function redactValues(text: string, names: RegExp, mark: Mark): string {
	let result = '';
	let at = 0;
	for (const name of text.matchAll(names)) {
		const start = name.index + name[0].length;
		if (start < at || !isSecretName(name[1] ?? '')) continue;
		const value = valueAt(text, start);
		if (value === undefined) continue;
		result += text.slice(at, value.start) + mark('named', text.slice(value.start, value.end));
		at = value.end;
	}
	return at === 0 ? text : result + text.slice(at);
}

function valueAt(text: string, start: number): { start: number; end: number } | undefined {
	const quote = /^\\?["'`]/.exec(text.slice(start, start + 2))?.[0] ?? '';
	const shape = quote === '' ? BARE_VALUE : QUOTED_VALUE;
	shape.lastIndex = start + quote.length;
	const value = shape.exec(text)?.[0] ?? '';
	const found = isSecretValue(value, quote === '' ? 'bare' : 'quoted');
	return found ? { start: start + quote.length, end: start + quote.length + value.length } : undefined;
}

/** Whether a variable, field or option of this name holds a secret. */
export function isSecretName(name: string): boolean {
	if (!MAYBE_NAMED.test(name)) return false;
	const plain = name.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
	return SECRET_NAME.test(plain) && !HARMLESS_NAME.test(plain);
}

/** Whether the value of such a name looks like the secret itself, not like code, a type or a placeholder. */
export function isSecretValue(value: string, written: 'field' | 'quoted' | 'bare'): boolean {
	if (value.length < (written === 'bare' ? 8 : 6) || /\s/.test(value) || PLACEHOLDER.test(value)) return false;
	if (written === 'field') return true;
	if (written === 'quoted')
		return /[^A-Za-z_. -]/.test(value) || (value.length >= 20 && /[a-z]/.test(value) && /[A-Z]/.test(value));
	return /\d/.test(value) && /[A-Za-z]/.test(value) && !CODE.test(value);
}

const MAYBE_NAMED =
	/pass(?:word|wd|phrase|code)|secret|token|credential|(?:api|access|private|signing|encryption|account|auth)[_-]?key/i;
const SECRET_NAME =
	/(?:password|passwd|passphrase|passcode|secret|token|apikey|accesskey|secretkey|privatekey|signingkey|encryptionkey|accountkey|authkey|credential|credentials)$/;
const HARMLESS_NAME = /(?:page|cursor|continuation|next|csrf|sync|cancel|cancellation)token$|public/;
const PLACEHOLDER =
	/^(?:[$<{%[(]|\*+|x{4,}|\.{3,}|your|my[-_]|change|example|placeholder|redacted|process\.env|os\.|env\.|null|undefined|string|number|boolean|required|optional)/i;
/** Calls, members, paths and generic types are code. */
const CODE = /[()[\]{}<>|]|^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$|^\.{0,2}\/|^(?:u?int|float|base|sha|md|v)\d+$/;

const ASSIGNMENT = /(?<![A-Za-z0-9_-])([A-Za-z0-9_-]{3,80})\\?["']?\s{0,4}(?::=|=>|[:=])\s{0,4}/g;
const FLAG = /(?<!\S)(--[A-Za-z0-9-]{3,40})\s{1,4}/g;
const BARE_VALUE = /[^\s"'`,;&\\]{1,512}/y;
const QUOTED_VALUE = /[^"'`\n\\]{1,512}/y;

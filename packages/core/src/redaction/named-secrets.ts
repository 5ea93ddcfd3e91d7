// Secrets that are known only by the name they are given: `DB_PASSWORD=…`, `"api_key": "…"`, `--token …`.
import type { Mark } from './mark.ts';

export function redactNamedSecrets(text: string, mark: Mark): string {
	if (!MAYBE_NAMED.test(text)) return text;
	return text.replace(ASSIGNMENT, replaceNamed(mark)).replace(FLAG, replaceNamed(mark));
}

/** Whether a variable, field or option of this name holds a secret. */
export function isSecretName(name: string): boolean {
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

const ASSIGNMENT =
	/(?<![A-Za-z0-9_-])([A-Za-z0-9_-]{3,80})(\\?["']?\s{0,4}(?::=|=>|[:=])\s{0,4})(\\?["'`]|)([^\s"'`,;&\\]{6,400})/g;
const FLAG = /(?<!\S)(--[A-Za-z0-9-]{3,40})(\s{1,4})(["']|)([^\s"'`;&|\\]{6,400})/g;

function replaceNamed(mark: Mark) {
	return (match: string, name: string, separator: string, quote: string, value: string): string => {
		const secret = isSecretName(name) && isSecretValue(value, quote === '' ? 'bare' : 'quoted');
		return secret ? `${name}${separator}${quote}${mark('named', value)}` : match;
	};
}

// Replaces secrets in any JSON value by a mark that keeps their kind and the head of their hash, so that equal secrets stay equal.
import type { Mark } from './mark.ts';
import { isSecretName, isSecretValue, redactNamedSecrets } from './named-secrets.ts';
import { redactPrivateKeys } from './private-keys.ts';
import { MAYBE_PLACED, mayHoldToken, PLACED_SHAPES, SECRET_SHAPES, type SecretShape } from './secret-shapes.ts';

type Redaction = { kind: string; hashPrefix: string };

export type Redactor = {
	/** Strings anywhere inside are searched, keys are kept. Without a finding the very same value comes back. */
	redact<T>(value: T): { value: T; redactions: Redaction[] };
};

/** `hash` gives hexadecimal text of at least eight characters. */
export function createRedactor(hash: (text: string) => string): Redactor {
	return {
		redact(value) {
			const redactions: Redaction[] = [];
			const mark: Mark = (kind, secret) => {
				const hashPrefix = hash(secret).slice(0, 8);
				redactions.push({ kind, hashPrefix });
				return `[redacted:${kind}:${hashPrefix}]`;
			};
			return { value: redactValue(value, mark), redactions };
		},
	};
}

function redactValue<T>(value: T, mark: Mark): T;
function redactValue(value: unknown, mark: Mark): unknown {
	if (typeof value === 'string') return redactText(value, mark);
	if (typeof value !== 'object' || value === null) return value;
	return Array.isArray(value) ? redactArray(value, mark) : redactObject(value, mark);
}

function redactArray(items: unknown[], mark: Mark): unknown[] {
	const redacted = items.map((item) => redactValue(item, mark));
	return redacted.some((item, at) => item !== items[at]) ? redacted : items;
}

function redactObject(value: object, mark: Mark): object {
	let changed: [string, unknown][] | undefined;
	const entries = Object.entries(value);
	for (const [at, [key, inner]] of entries.entries()) {
		const redacted = redactField(key, inner, mark);
		if (redacted === inner) continue;
		changed ??= [...entries];
		changed[at] = [key, redacted];
	}
	return changed === undefined ? value : Object.fromEntries(changed);
}

/** A field called `password` holds one, whatever it looks like. */
function redactField(key: string, value: unknown, mark: Mark): unknown {
	const redacted = redactValue(value, mark);
	if (redacted !== value || typeof value !== 'string') return redacted;
	return isSecretName(key) && isSecretValue(value, 'field') ? mark('named', value) : value;
}

function redactText(text: string, mark: Mark): string {
	let result = text.includes('PRIVATE KEY') ? redactPrivateKeys(text, mark) : text;
	if (mayHoldToken(result)) for (const shape of SECRET_SHAPES) result = redactShape(result, shape, mark);
	if (MAYBE_PLACED.test(result)) for (const shape of PLACED_SHAPES) result = redactShape(result, shape, mark);
	return redactNamedSecrets(result, mark);
}

function redactShape(text: string, { kind, shape, accept }: SecretShape, mark: Mark): string {
	return text.replace(shape, (match: string, group: unknown) => {
		const secret = typeof group === 'string' ? group : match;
		if (accept !== undefined && !accept(secret)) return match;
		const at = match.lastIndexOf(secret);
		return `${match.slice(0, at)}${mark(kind, secret)}${match.slice(at + secret.length)}`;
	});
}

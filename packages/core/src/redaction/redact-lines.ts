// Lines of a text without secrets: a secret over several lines is replaced in each of them, so that their number stays.
import { findSecrets } from './find-secrets.ts';
import { replaceSpans, type Span } from './spans.ts';

/** `hash` gives hexadecimal text of at least eight characters. */
export function redactLines(lines: readonly string[], hash: (text: string) => string): string[] {
	const text = lines.join('\n');
	const secrets = findSecrets(text);
	if (secrets.length === 0) return [...lines];
	let start = 0;
	return lines.map((line) => {
		const from = start;
		start += line.length + 1;
		const spans = secrets.flatMap((secret): Span[] => {
			const part = { kind: secret.kind, start: Math.max(secret.start - from, 0), end: Math.min(secret.end - from, line.length) };
			return part.end > part.start ? [part] : [];
		});
		return replaceSpans(line, spans, (kind, secret) => `[redacted:${kind}:${hash(secret).slice(0, 8)}]`);
	});
}

// One line of markdown as toned text: bold, emphasis, code, and links as text with their address.

import { type Span, span } from '../screen/row.ts';
import type { Tone } from '../screen/styles.ts';

/** Longer lines are no prose: they are shown as they are. */
const LONGEST = 4_096;

const TOKEN = new RegExp(
	[
		'(?<ticks>`+)(?<code>[^`]+)\\k<ticks>(?!`)',
		'!?\\[(?<label>[^\\]\\n]{0,500})\\]\\((?<address>[^()\\s]{1,2000})\\)',
		'\\*\\*(?=\\S)(?<strong>[^*]+)\\*\\*',
		'(?<![\\w*])(?<mark>[*_])(?=\\S)(?<emphasis>[^*_]+)(?<=\\S)\\k<mark>(?![\\w*])',
	].join('|'),
	'gu',
);

export function inlineSpans(line: string, tone?: Tone): Span[] {
	if (line.length > LONGEST) return [span(line, tone)];
	const spans: Span[] = [];
	let from = 0;
	for (const found of line.matchAll(TOKEN)) {
		if (found.index > from) spans.push(span(line.slice(from, found.index), tone));
		spans.push(...toSpans(found.groups ?? {}, tone));
		from = found.index + found[0].length;
	}
	if (from < line.length || spans.length === 0) spans.push(span(line.slice(from), tone));
	return spans;
}

function toSpans({ code, label, address, strong, emphasis }: Record<string, string | undefined>, tone?: Tone): Span[] {
	if (code !== undefined) return [span(code, 'code')];
	if (strong !== undefined) return [span(strong, 'strong')];
	if (emphasis !== undefined) return [span(emphasis, 'emphasis')];
	const words = label ? [span(`${label} `, tone)] : [];
	return [...words, span(`(${address})`, 'faint')];
}

// A rule that holds from here on.

import { row, span } from '../screen/row.ts';
import type { Tone } from '../screen/styles.ts';
import { fieldRows } from './field-rows.ts';
import type { Renderer } from './renderer.ts';

const TONES: Record<'allow' | 'deny' | 'ask', Tone> = { allow: 'good', deny: 'bad', ask: 'warn' };

export const ruleAdded: Renderer<'rule.added'> = {
	sign: () => ({ glyph: 'bullet', tone: 'accent' }),
	line: ({ data: { rule } }) =>
		row(
			span('Rule added: ', 'accent'),
			span(rule.decision, TONES[rule.decision]),
			span(` ${rule.tool}${rule.argsPattern ? `(${rule.argsPattern})` : ''}, ${rule.scope}`),
		),
	body: ({ data }, _, width) => fieldRows(data.rule, width),
};

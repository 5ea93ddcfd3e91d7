import { LOOK_MS } from '@roost/core/answers/when-ready';
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { AskRow } from '@roost/protocol/ask';
import { hostileStrings } from '@roost/testkit/fakes/hostile-strings';
import { openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { plainStyles } from '@roost/testkit/rigs/tui/plain-styles';
import { samplePermission, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { drawFrame } from '../frame.ts';
import { widthOf } from '../screen/text.ts';

/** Without colours, so that every control byte comes from the text. */
const STYLES = plainStyles();
const SIZE = { columns: 80, rows: 24 };
const SOAK = process.env.ROOST_SOAK === '1';
const EACH = SOAK ? 1 : 7;

describe('hostile text in a dialog', () => {
	const strings = hostileStrings().filter((_, index) => index % EACH === 0);

	it('never shows control bytes or breaks the line width, whatever an agent requests', {
		timeout: SOAK ? 600_000 : 30_000,
	}, () => {
		for (const text of strings) {
			expectHarmless({ input: { command: text } }, ['e', 'esc', 'a', 'up', 'esc', 'm', 'x']);
			expectHarmless({ tool: `mcp__${text}__${text}`, input: { [text]: text } }, ['a', 'left', 'esc', 'e', 'enter']);
			expectHarmless({ tool: 'Edit', input: { file_path: text, old_string: text, new_string: `${text}\n${text}` } }, ['G', 'a']);
			expectHarmless({ kind: 'question', input: { questions: [questionOf(text), questionOf(text)] } }, [
				'1',
				'2',
				'right',
				'down',
			]);
			expectHarmless({ kind: 'question', input: { questions: text } }, []);
		}
	});
});

function questionOf(text: string) {
	return {
		question: text,
		header: text,
		multi_select: true,
		options: [{ label: text, description: text }, { label: `${text}.` }],
	};
}

function expectHarmless(over: Partial<AskRow>, keys: readonly string[]): void {
	const text = JSON.stringify(over).slice(0, 200);
	const ask = samplePermission({ reason: text, ...over });
	const tui = openHeadlessTui(sampleWorld({ asks: [ask] }), SIZE);
	tui.wait(LOOK_MS);
	expectHarmlessScreen();
	for (const key of keys) {
		tui.press(key);
		expectHarmlessScreen();
	}
	tui.decide(ask, { state: 'denied', decidedBy: ask.tool });
	expectHarmlessScreen();

	function expectHarmlessScreen(): void {
		const { lines } = drawFrame(tui.scene(), SIZE, STYLES);
		const harmful = lines.filter((line) => sanitiseLine(line) !== line || widthOf(line) !== SIZE.columns);
		expect(harmful, text).toEqual([]);
	}
}

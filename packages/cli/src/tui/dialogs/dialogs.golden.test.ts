import { LOOK_MS } from '@roost/core/answers/when-ready';
import type { AskDetail } from '@roost/protocol/api/asks';
import type { Question } from '@roost/protocol/feed/decisions';
import { actorId, askId } from '@roost/protocol/ids';
import { type HeadlessTui, openHeadlessTui } from '@roost/testkit/rigs/tui/headless-tui';
import { sampleOpen, samplePermission, sampleWorld } from '@roost/testkit/rigs/tui/sample-world';
import { drawScene, goldenScreen } from '@roost/testkit/rigs/tui/tui-scene';
import { describe, expect, it } from 'vitest';

const COMMAND = samplePermission();
const EDIT = samplePermission({
	id: askId.parse('k3f9.2'),
	tool: 'Edit',
	actorId: actorId.parse('subagent:a7'),
	risk: 'medium',
	reason: 'rule 7kq2m4xz9p (Edit) says ask',
	input: {
		file_path: '/project/src/health.ts',
		old_string: 'export function health() {\n\treturn true;\n}\n',
		new_string: 'export async function health() {\n\treturn await ping();\n}\n',
	},
});
const WRITE: AskDetail = {
	...samplePermission({
		tool: 'Write',
		risk: 'medium',
		input: { file_path: '/project/src/health.ts', content: 'export async function health() {\n\treturn await ping();\n}\n' },
	}),
	file: { state: 'text', text: 'export function health() {\n\treturn true;\n}\n' },
};
const MCP = samplePermission({
	tool: 'mcp__github__create_issue',
	risk: 'medium',
	input: { title: 'Wide 宽 text', labels: ['a', 'b'] },
});
const QUESTIONS: Question[] = [
	{
		question: 'Which database should the tests use?',
		header: 'Database',
		multi_select: false,
		options: [
			{ label: 'SQLite', description: 'Built into Node, one file, nothing to install.' },
			{ label: 'Postgres', description: 'As in production; needs a container.' },
		],
	},
	{ question: 'Which faces matter first?', multi_select: true, options: [{ label: 'Terminal' }, { label: 'Web' }] },
];
const QUESTION = samplePermission({ kind: 'question', tool: 'AskUserQuestion', risk: 'low', input: { questions: QUESTIONS } });

const PARTS = samplePermission({
	input: { command: 'cd api && npm test | tail -3; echo done' },
	risk: 'low',
	reason: 'no rule covers "cd api", "npm test", "tail -3" and 1 more',
});

const SCENES: readonly (readonly [name: string, asks: readonly AskDetail[], keys: readonly string[]])[] = [
	['permission-command', [COMMAND, EDIT], []],
	['permission-diff', [EDIT], []],
	['permission-write', [WRITE], []],
	['permission-always', [samplePermission({ input: { command: 'npm test -- --watch' }, risk: 'low' })], ['a']],
	['permission-parts', [PARTS], ['a', 'down']],
	['permission-parts-left', [PARTS], ['a', 'down', 'ctrl+u']],
	['permission-server', [MCP], ['a', 'left', 'down', 'right']],
	['permission-edit', [COMMAND], ['e']],
	['permission-json', [MCP], ['e', 'backspace', 'enter']],
	['permission-message', [COMMAND], ['m', 'N', 'o', 't', 'space', 'n', 'o', 'w', '.']],
	['permission-sent', [COMMAND], ['n']],
	['permission-redacted', [samplePermission({ input: { command: 'curl -u [redacted:basic:1a2b3c4d] example.org' } })], []],
	['question', [QUESTION], ['down']],
	['question-several', [QUESTION], ['2', 'space']],
	['question-own', [QUESTION], ['3', 'B', 'o', 't', 'h']],
	['question-summary', [QUESTION], ['1', 'right']],
];

const VARIANTS = [
	{ columns: 80, rows: 24, ascii: false },
	{ columns: 80, rows: 24, ascii: true },
	{ columns: 120, rows: 40, ascii: false },
	{ columns: 120, rows: 40, ascii: true },
];

describe.each(VARIANTS)('at $columns x $rows, ascii $ascii', (style) => {
	it.each(SCENES)('%s matches its golden screen', async (name, asks, keys) => {
		using terminal = await drawScene(openPressed(asks, keys, style).scene(), style);
		const dialog = { ...terminal, text: () => dialogOf(terminal.screen()) };
		expect(dialog.text()).toBe(goldenScreen(`dialog-${name}`, dialog, { ascii: style.ascii }));
	});
});

describe('dialogs on the smallest screen', () => {
	it.each(SCENES)('%s keeps header and footer in place without scrolling', async (_, asks, keys) => {
		const size = { columns: 60, rows: 12 };
		using terminal = await drawScene(openPressed(asks, keys, size).scene(), size);
		expect(terminal.screen()[0]).toContain('roost');
		expect(terminal.scrolledLines()).toBe(0);
		expect(terminal.screen().at(-2)).toMatch(/Permission|Question/);
	});
});

function openPressed(asks: readonly AskDetail[], keys: readonly string[], size: { columns: number; rows: number }): HeadlessTui {
	const world = sampleWorld({ asks });
	const tui = openHeadlessTui({ ...world, open: { ...sampleOpen([]), row: world.sessions[0] } }, size);
	tui.wait(LOOK_MS);
	tui.press(...keys);
	return tui;
}

/** Only the dialog: the rest of the screen has its own goldens. */
function dialogOf(screen: readonly string[]): string {
	const title = screen.findIndex((line) => /^(?:──|--) (?:Permission|Question) /.test(line));
	return `${screen.slice(title, -2).join('\n')}\n`;
}

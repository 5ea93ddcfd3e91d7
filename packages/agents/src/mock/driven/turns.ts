// Scripted turns, selected by words in the prompt. Data only.
import type { ToolInput } from '@roost/protocol/feed/base';

export type MockStep =
	/** Word by word. */
	| { type: 'say'; text: string }
	/** With `asks` it needs permission; with `error` it fails. */
	| { type: 'call'; tool: string; input: ToolInput; response?: unknown; error?: string; asks?: boolean }
	| { type: 'question'; question: string; options: readonly string[] }
	| { type: 'fail'; error: string };

type Turn = { words: RegExp; steps: readonly MockStep[] };

const READ: MockStep = { type: 'call', tool: 'Read', input: { file_path: 'src/health.ts' }, response: { lines: 42 } };

const TURNS: readonly Turn[] = [
	{
		words: /\b(fail|break)/i,
		steps: [
			{ type: 'say', text: 'Let me try that.' },
			{ type: 'fail', error: 'the model is overloaded' },
		],
	},
	{
		words: /\b(question|choose|which)/i,
		steps: [
			{ type: 'say', text: 'That depends on you.' },
			{ type: 'question', question: 'What shall the check answer while the database starts?', options: ['503', '200'] },
			{ type: 'say', text: 'Good, that is how I will do it.' },
		],
	},
	{
		words: /\b(test|build|run)/i,
		steps: [
			{ type: 'say', text: 'I will run the tests.' },
			{
				type: 'call',
				tool: 'Bash',
				input: { command: 'npm test', description: 'Run the tests' },
				response: { stdout: '12 passed, 0 failed', stderr: '', interrupted: false },
				asks: true,
			},
			{ type: 'say', text: 'All twelve tests pass.' },
		],
	},
	{
		words: /\b(mend|fix|edit|change)/i,
		steps: [
			{ type: 'say', text: 'I will look at the route first.' },
			READ,
			{
				type: 'call',
				tool: 'Edit',
				input: { file_path: 'src/health.ts', old_string: 'return ok()', new_string: 'return (await db.ping()) ? ok() : down()' },
				response: { ok: true },
				asks: true,
			},
			{ type: 'say', text: 'Done: the check now asks the database before it says that all is well.' },
		],
	},
	{
		words: /\b(long|explain|story)/i,
		steps: [
			{ type: 'say', text: Array.from({ length: 60 }, (_, at) => `This is sentence ${at + 1} of a long answer.`).join(' ') },
		],
	},
];

const OTHERWISE: readonly MockStep[] = [READ, { type: 'say', text: 'I have read src/health.ts: it never asks the database.' }];

export function turnFor(prompt: string): readonly MockStep[] {
	return TURNS.find(({ words }) => words.test(prompt))?.steps ?? OTHERWISE;
}

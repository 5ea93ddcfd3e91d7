import type { AgentRow } from '@roost/protocol/api/agents';
import { sampleAgentRow } from '@roost/testkit/rigs/agents/scripted-agents';
import { describe, expect, it } from 'vitest';
import { toAgentTable, toMatrix } from './agents.ts';

const CLAUDE = sampleAgentRow({
	id: 'claude',
	program: { path: '/usr/bin/claude', version: '2.1.325', problem: null },
	observed: 'roost claude',
	guarded: 'hooks',
	guardProof: { state: 'guarded', provenAt: 1 },
	proven: { version: '2.1.325', cells: { prompt: { outcome: 'pass' }, observed: { outcome: 'pass' } } },
});
const CODEX: AgentRow = {
	...CLAUDE,
	id: 'codex',
	program: {
		path: '/usr/bin/codex',
		version: '0.1.0',
		problem: { kind: 'too-old', sentence: 'Codex 0.1.0 is too old: update it.' },
	},
	observed: null,
	proven: {
		version: '0.166.0',
		cells: {
			prompt: { outcome: 'pass' },
			'guard canary': { outcome: 'fail', reason: 'it did not fire' },
			edit: { outcome: 'unsupported', reason: `its protocol has ${'no words for it '.repeat(8)}at all.` },
		},
	},
};
const SENTENCE = 'Pi is not on this machine: install it, or name its program as agents.pi.command in config.yaml.';
const PI: AgentRow = {
	...CLAUDE,
	id: 'pi',
	takesPrompts: false,
	program: { path: null, version: null, problem: { kind: 'missing', sentence: SENTENCE } },
	proven: null,
};
const ALL = [CLAUDE, CODEX, PI];

describe('agent table', () => {
	const text = toAgentTable(ALL, 80).join('\n');

	it('has a row for each agent with its version and capabilities', () => {
		expect(text).toMatch(/^AGENT +VERSION +DRIVEN +OBSERVED +HOOK TEST +PROVEN\n/);
		expect(text).toMatch(/\nclaude +2\.1\.325 +yes +yes +blocked +2 of 2\n/);
		expect(text).toMatch(/\ncodex +0\.1\.0, too old +yes +no +- +1 of 3, with 0\.166\.0\n/);
		expect(text).toMatch(/\npi +not found +no +not proven +- +not proven\n/);
	});

	it('shows only driving and observing results from the conformance run', () => {
		const why = { outcome: 'unsupported', reason: 'it has no hooks' } as const;
		const cells = { prompt: { outcome: 'fail', reason: 'it broke' }, observed: why } as const;
		const shown = toAgentTable(
			[
				{ ...CLAUDE, proven: { version: '2.1.325', cells } },
				{ ...CLAUDE, id: 'codex', proven: null },
			],
			80,
		);
		expect(shown.join('\n')).toMatch(
			/\nclaude +2\.1\.325 +FAILS +no +blocked +0 of 2\ncodex +2\.1\.325 +not proven +not proven /,
		);
	});

	it('lists failed and untested permission hooks below the table', () => {
		const asleep = { state: 'not-guarded', provenAt: 1, reason: 'the guard was never asked' } as const;
		const rows: AgentRow[] = [
			{ ...CLAUDE, guardProof: asleep },
			{ ...CLAUDE, id: 'codex', guardProof: { state: 'not-proven' } },
			{ ...CLAUDE, id: 'pi', guardProof: { state: 'not-proven' } },
			sampleAgentRow(),
		];
		const shown = toAgentTable(rows, 80).join('\n');
		expect(shown).toMatch(/\nclaude +2\.1\.325 +yes +yes +failed +2 of 2\n/);
		expect(shown).toMatch(/\nmock +- +not proven +no +none +not proven\n/);
		expect(shown).toContain('\nclaude: permission hook test failed: the guard was never asked.\n');
		expect(shown.replace(/\n +/g, ' ')).toMatch(
			/\ncodex, pi: permission hook not tested on this machine\. Run "\S+ agents --prove"/,
		);
		for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
	});

	it('shows the full problem below the table, within the width', () => {
		expect(text.replace(/\n +/g, ' ')).toContain(SENTENCE);
		for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
	});

	it('escapes control characters in the output of a program', () => {
		const problem = { kind: 'garbage' as const, sentence: 'it says "\u001b[2J\u202e"' };
		const shown = toAgentTable([{ ...PI, program: { path: '/x', version: null, problem } }], 80).join('\n');
		for (const raw of ['\u001b', '\u202e']) expect(shown).not.toContain(raw);
	});
});

describe('agent matrix', () => {
	const text = toMatrix(ALL, 80).join('\n');

	it('has a column for each proven agent and a row for each capability', () => {
		expect(text).toMatch(
			/^ +claude +codex\nprompt +yes +yes\nobserved +yes +-\nguard canary +- +FAILS\nedit +- +no\nwith version +2\.1\.325 +0\.166\.0\n/,
		);
	});

	it('lists the reasons below, and names the unproven agents', () => {
		expect(text).toContain('codex, guard canary: fails: it did not fire');
		expect(text.replace(/\n +/g, ' ')).toContain('codex, edit: not supported: its protocol has no words');
		expect(text).toMatch(/pi: not proven\.$/);
		for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
	});

	it('prints no table when nothing is proven', () => {
		expect(toMatrix([PI], 80)).toEqual(['pi: not proven.']);
	});
});

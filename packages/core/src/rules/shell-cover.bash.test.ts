// Real bash runs lines that an allow covers: a command that was not allowed must never run.
import { rule } from '@roost/protocol/rule';
import { shellPieces } from '@roost/testkit/corpora/shell-pieces';
import { createBashCanary } from '@roost/testkit/rigs/shell/bash-canary';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { simpleCommands } from '../shell/simple-commands.ts';
import { judge } from './match.ts';
import { coversLine } from './shell-cover.ts';

const MIXED = ['; also ', ' && also ', ' | also ', ' $(also)', '; also x', ' || also ', '\nalso ', ' <(also)', '& also '];
const ROUNDS = process.env.ROOST_SOAK === '1' ? 60_000 : 3_000;

it('never lets real bash run a command outside the allow rule', { timeout: 3_600_000 }, () => {
	using bash = createBashCanary({ quiet: ['safe'] });
	let ran = 0;
	fc.assert(
		fc.property(line, (text) => {
			if (!coversLine('safe *', simpleCommands(text))) return;
			ran++;
			expect(bash.run(text)).toBeUndefined();
		}),
		{ numRuns: ROUNDS },
	);
	expect(ran).toBeGreaterThan(ROUNDS / 100);
	expect(bash.run('safe; canary')).toBe('safe; canary');
});

it('never lets real bash run a command outside several allows, nor more than one rule for all would', {
	timeout: 3_600_000,
}, () => {
	using bash = createBashCanary({ quiet: ['safe', 'also'] });
	const rules = ['safe *', 'also *'].map((argsPattern) => rule.parse({ ...USER_ALLOW, id: argsPattern, argsPattern }));
	let combined = 0;
	fc.assert(
		fc.property(mixedLine, (text) => {
			const verdict = judge({ tool: 'Bash', input: { command: text } }, rules, { sessionId: '', projectId: '' });
			if (verdict.decision !== 'allow' || verdict.rules === undefined) return;
			combined++;
			expect(coversLine('safe *', simpleCommands(text.replaceAll('also', 'safe')))).toBe(true);
			expect(bash.run(text)).toBeUndefined();
		}),
		{ numRuns: ROUNDS },
	);
	expect(combined).toBeGreaterThan(ROUNDS / 100);
});

const USER_ALLOW = { tool: 'Bash', decision: 'allow', scope: 'user', scopeId: 'user', addedBy: 'test', createdAt: 1 };

const mixedLine = fc
	.array(fc.constantFrom(...shellPieces('safe', 'canary'), ...MIXED), { minLength: 1, maxLength: 9 })
	.map((pieces) => `safe ${pieces.join('')}`);

const line = fc
	.array(fc.constantFrom(...shellPieces('safe', 'canary')), { minLength: 1, maxLength: 9 })
	.map((pieces) => `safe ${pieces.join('')}`);

// Real bash runs what an allow covers: a command that was not allowed must never be reached.
import { shellPieces } from '@roost/testkit/corpora/shell-pieces';
import { createBashCanary } from '@roost/testkit/rigs/bash-canary';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { simpleCommands } from '../shell/simple-commands.ts';
import { coversLine } from './shell-cover.ts';

const ROUNDS = process.env.ROOST_SOAK === '1' ? 60_000 : 3_000;

it('never lets real bash reach a command outside the allow', { timeout: 600_000 }, () => {
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

const line = fc
	.array(fc.constantFrom(...shellPieces('safe', 'canary')), { minLength: 1, maxLength: 9 })
	.map((pieces) => `safe ${pieces.join('')}`);

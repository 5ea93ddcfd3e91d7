import { expect, it } from 'vitest';
import { findClaudeBinary } from './claude-binary.ts';

it('finds the program inside node_modules, not on the PATH', () => {
	const binary = findClaudeBinary();
	expect(binary).toMatchObject({ found: true, path: expect.stringMatching(/node_modules.*claude-agent-sdk-.*claude/) });
});

it('says what to do on a machine it was not installed for', () => {
	const binary = findClaudeBinary({ os: 'plan9', arch: 'mips' });
	expect(binary).toEqual({
		found: false,
		whatToDo: expect.stringContaining('claude-agent-sdk-plan9-mips is not installed: run `npm ci`'),
	});
});

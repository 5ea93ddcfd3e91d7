import { describe, expect, it } from 'vitest';
import { say } from '../fakes/model-reply.ts';
import { scriptTurns } from '../fakes/script.ts';
import { createClaudeRig } from './claude-rig.ts';

describe('the claude rig', () => {
	it('runs the real claude to a plain answer', async () => {
		await using rig = await createClaudeRig({ script: scriptTurns([say('Hello from ', 'the fake.')]) });
		const exit = await rig.run(['-p', 'greet me', '--permission-mode', 'manual'], { timeoutMs: 20_000 });
		expect(exit).toMatchObject({ code: 0, signal: null, stdout: 'Hello from the fake.\n', stderr: '' });
		expect(rig.model.requests.map((request) => request.lastUserText)).toEqual(['greet me']);
	});
});

// Pi loads Roost's extensions as they are built too, not only as they are written.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { message, say } from '@roost/testkit/fakes/model-reply';
import { PI_MODEL } from '@roost/testkit/rigs/pi-home';
import { openPiRig, piWords } from '@roost/testkit/rigs/pi-rig';
import { startProgram } from '@roost/testkit/rigs/program';
import { describe, expect, it } from 'vitest';

/** Drives one session with what is built, and allows everything. */
const DRIVE = `
const [, built, program, cwd, model] = process.argv;
const { createPiAgent } = await import(built);
const agent = createPiAgent({ env: () => process.env, command: [program] });
const { runtime, connection } = agent.open({ cwd, gate: 'enforce', model });
const allow = { type: 'json', source: 'user', intent: { kind: 'permission_allow' } };
runtime.onEvent(({ id, hookName, interaction }) => {
	console.log(hookName);
	if (interaction.expectsDecision) runtime.sendDecision(id, hookName === 'PreToolUse' ? { type: 'passthrough', source: 'rule' } : allow);
	if (hookName.startsWith('Stop')) connection.close();
});
runtime.start();
await connection.sendPrompt({ id: 'p', text: 'go' });
`;

describe('what is built for Pi', () => {
	it('is loaded by the real Pi, and its gate asks', async () => {
		await using rig = await openPiRig({
			script: ({ toolResults }) => message(toolResults.length === 0 ? [piWords.shell('touch made')] : [say('done')]),
		});
		const dist = join(import.meta.dirname, '../../dist/pi');
		const argv = ['--input-type=module', '-e', DRIVE, join(dist, 'pi-agent.js'), rig.program, rig.project, PI_MODEL];
		await using driver = await startProgram([process.execPath, ...argv], { cwd: import.meta.dirname, env: rig.env });
		const { stdout } = await driver.waitForExit(60_000);
		expect(stdout.split('\n')).toEqual(expect.arrayContaining(['PermissionRequest', 'PostToolUse', 'Stop']));
		expect(existsSync(join(rig.project, 'made'))).toBe(true);
		for (const name of ['gate', 'guard', 'installed', 'report'])
			expect(existsSync(join(dist, 'extension', `${name}-extension.js`))).toBe(true);
	});
});

// A real runner with valid and invalid requests: its log is searched for every secret it knows.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sendRaw } from '@roost/testkit/rigs/api/raw-http';
import { registerTestDevice } from '@roost/testkit/rigs/api/test-device';
import { startRunnerProcess } from '@roost/testkit/rigs/runner/runner-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { expect, it } from 'vitest';

const NATIVE = '5f0c8f7e-0000-4000-8000-000000000004';

it('writes no token, hook secret, ticket or bearer to its log', { timeout: 120_000 }, async () => {
	await using roost = await startRunnerProcess();
	const { port } = roost;
	const token = (await readFile(join(roost.env.ROOST_HOME ?? '', 'token'), 'utf8')).trim();
	const agent = await roost.openLaunch();
	await agent.report({ hook_event_name: 'SessionStart', session_id: NATIVE, source: 'startup' });
	const { ticket } = JSON.parse((await roost.call('POST', '/api/v1/tickets', {})).body);
	const device = await registerTestDevice(port, ticket);
	const { authorization } = await device.logIn();
	await sendRaw({ port, path: `/?ticket=${ticket}&token=${token}`, headers: { host: 'evil.com' } });
	await sendRaw({ port, path: '/api/v1/asks', headers: { authorization } });
	await sendRaw({ port, path: '/api/v1/asks', headers: { authorization: `Bearer ${agent.hooks.secret}` } });
	await sendRaw({ port, path: '/api/v1/asks', headers: { ...roost.bearer, origin: `http://${token}` } });

	const log = await waitFor(
		() => {
			const { stdout, stderr } = roost.program.output();
			return stdout.split('refused a request').length > 4 ? stdout + stderr : undefined;
		},
		{ what: 'the refusals in the log', seen: roost.program.output },
	);
	expect(log).toContain('session started');
	for (const secret of [token, agent.hooks.secret, ticket, authorization.slice('Bearer '.length)]) {
		expect(secret.length).toBeGreaterThan(20);
		expect(log).not.toContain(secret);
	}
});

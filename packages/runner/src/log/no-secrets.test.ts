// A real runner at work, refused and misused: its log is read byte by byte for every secret it knows.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sendRaw } from '@roost/testkit/rigs/raw-http';
import { startRunningRoost } from '@roost/testkit/rigs/running-roost';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { expect, it } from 'vitest';

const NATIVE = '5f0c8f7e-0000-4000-8000-000000000004';

it('writes no token, hook secret, ticket or cookie into its log', { timeout: 120_000 }, async () => {
	await using roost = await startRunningRoost();
	const { port } = roost;
	const token = (await readFile(join(roost.env.ROOST_HOME ?? '', 'token'), 'utf8')).trim();
	const agent = await roost.openLaunch();
	await agent.report({ hook_event_name: 'SessionStart', session_id: NATIVE, source: 'startup' });
	const { path, ticket } = JSON.parse((await roost.call('POST', '/api/v1/tickets', {})).body);
	const login = await sendRaw({ port, path });
	const cookie = login.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
	await sendRaw({ port, path: `${path}?token=${token}`, headers: { host: 'evil.com' } });
	await sendRaw({ port, path: '/api/v1/asks', headers: { cookie } });
	await sendRaw({ port, path: '/api/v1/asks', headers: { authorization: `Bearer ${agent.hooks.secret}` } });
	await sendRaw({ port, path: '/api/v1/asks', headers: { ...roost.bearer, origin: `http://${token}` } });

	const log = await waitFor(
		() => {
			const { stdout, stderr } = roost.program.output();
			return stdout.split('refused a request').length > 4 ? stdout + stderr : undefined;
		},
		{ what: 'the refusals in the log', seen: roost.program.output },
	);
	expect(log).toContain('a session started');
	for (const secret of [token, agent.hooks.secret, ticket, cookie.split('=')[1] ?? '']) {
		expect(secret.length).toBeGreaterThan(20);
		expect(log).not.toContain(secret);
	}
});

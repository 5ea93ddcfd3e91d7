// roost devices as a user runs it: a real runner, and browsers played by the test.
import { device, ticketIssued } from '@roost/protocol/api/devices';
import { registerTestDevice } from '@roost/testkit/rigs/api/test-device';
import { driveCli } from '@roost/testkit/rigs/runner/drive-cli';
import { startRunnerProcess } from '@roost/testkit/rigs/runner/runner-rig';
import { describe, expect, it } from 'vitest';

describe('roost devices', () => {
	it('lists and revokes devices, refuses agents, and records each registration and revocation', {
		timeout: 120_000,
	}, async () => {
		await using roost = await startRunnerProcess();
		const drive = (runs: string[][], env = {}) => driveCli(runs, { cwd: roost.folder, env: { ...roost.env, ...env } });
		const register = async (name: string) => {
			const { ticket } = ticketIssued.parse(JSON.parse((await roost.call('POST', '/api/v1/tickets', {})).body));
			return await registerTestDevice(roost.port, ticket, { name });
		};
		const [none] = await drive([['devices']]);
		expect(none).toMatchObject({ code: 0, stdout: expect.stringContaining('status --link') });
		const [laptop, phone] = [await register('Firefox on Linux'), await register('Safari\u202e on iPhone')];

		const refused = 'roost: Agents cannot do this: this terminal belongs to an agent that Roost governs. Use another terminal.\n';
		const [byAgent] = await drive([['devices', 'revoke', '--all']], { ROOST_SESSION: 'driven' });
		expect(byAgent).toMatchObject({ code: 1, stderr: refused });

		const [listed, asJson, unnamed, unknown, revoked, left, all] = await drive([
			['devices'],
			['devices', '--json'],
			['devices', 'revoke'],
			['devices', 'revoke', 'nobody'],
			['devices', 'revoke', laptop.id.slice(0, 8)],
			['devices', '--json'],
			['devices', 'revoke', '--all', '--json'],
		]);
		expect(listed?.stdout).toMatch(
			new RegExp(`^DEVICE .*\\n${laptop.id}  Firefox on Linux .*\\n${phone.id}  Safari\\\\u\\{202e\\} on iPhone `),
		);
		expect(device.array().parse(JSON.parse(asJson?.stdout ?? ''))).toHaveLength(2);
		expect(unnamed).toMatchObject({
			code: 2,
			stderr: 'roost: Name one device, or use --all. Run "roost devices" to list devices.\n',
		});
		expect(unknown).toMatchObject({ code: 1, stderr: 'roost: No device "nobody" found.\n' });
		expect(revoked).toMatchObject({ code: 0, stdout: `Revoked ${laptop.id}. Its browser is logged out.\n` });
		expect(JSON.parse(left?.stdout ?? '')).toMatchObject([{ id: phone.id }]);
		expect(JSON.parse(all?.stdout ?? '')).toEqual({ revoked: 1 });
		for (const each of [laptop, phone]) await expect(each.logIn()).rejects.toThrow('refused with 401');
		const [found] = await drive([['search', 'device', '--json']]);
		expect(found?.stdout).toMatch(/Device revoked by \w+@cli: Safari[\s\S]*Device registered by \w+@http: Firefox/);
	});
});

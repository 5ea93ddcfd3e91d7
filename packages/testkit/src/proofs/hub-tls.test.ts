// A hub that ends TLS itself: runners and commands reach it only with a certificate that they trust.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeCertificate } from '../rigs/hub/certificate.ts';
import { startHubProcess, succeeded } from '../rigs/hub/hub-process.ts';
import { cannotRun, program } from '../rigs/requirements.ts';
import { startRunnerProcess } from '../rigs/runner/runner-rig.ts';
import { createTempDir } from '../rigs/temp-dir.ts';

describe.skipIf(cannotRun([program('openssl')]))('hub with a certificate of its own', { timeout: 240_000 }, () => {
	it('is joined over https by machines that trust it, and refused in one sentence by others', async () => {
		await using temp = await createTempDir();
		const { cert, key } = makeCertificate(temp.path);
		await using hub = await startHubProcess({ args: ['--tls-cert', cert, '--tls-key', key] });
		expect(hub.url).toMatch(/^https:/);
		const trusting = { project: temp.path, env: { HOME: temp.path, NODE_EXTRA_CA_CERTS: cert } };
		await using laptop = await startRunnerProcess({ rig: trusting });
		await hub.pair(laptop);
		const listed = JSON.parse(succeeded(await laptop.roost('--hub', hub.url, 'runners', '--json')));
		expect(listed).toMatchObject([{ name: 'laptop', online: true }]);

		await using stranger = await startRunnerProcess();
		const refused = await stranger.roost('join', await hub.invite());
		expect(refused.code).not.toBe(0);
		expect(refused.stderr.trim()).toBe(
			`roost: The certificate of ${hub.url} is not trusted (self-signed certificate). Check the address, or name the file of its issuer in NODE_EXTRA_CA_CERTS.`,
		);
	});

	it('is refused where its certificate is that of another name', async () => {
		await using temp = await createTempDir();
		await mkdir(join(temp.path, 'other'));
		const { cert, key } = makeCertificate(join(temp.path, 'other'), 'DNS:other.example.com');
		await using hub = await startHubProcess({ args: ['--tls-cert', cert, '--tls-key', key] });
		const trusting = { project: temp.path, env: { HOME: temp.path, NODE_EXTRA_CA_CERTS: cert } };
		await using laptop = await startRunnerProcess({ rig: trusting });
		const refused = await laptop.roost('join', await hub.invite());
		expect([refused.code, refused.stderr]).toEqual([expect.any(Number), expect.stringContaining('does not match certificate')]);
		expect(refused.stderr.trim().split('\n')).toHaveLength(1);
	});
});

// roost status --link --qr: the address for a phone, as text and as a code.
import { startRunner } from '@roost/testkit/rigs/runner/runner-rig';
import { describe, expect, it } from 'vitest';
import { toQrLines } from '../output/qr-code.ts';

const ORIGIN = 'https://roost.tail1234.ts.net';
const CODE = /^[█▀▄ ]{30,}$/;

describe('roost status --qr', () => {
	it('prints the link at the first configured origin as a QR code', async () => {
		await using roost = await startRunner({ config: { runner: { port: 0 }, web: { origins: [ORIGIN, 'https://b.example'] } } });
		const { code, stdout } = await roost.roost('status', '--link', '--qr');
		const link = /https:\S+#ticket=\S+/.exec(stdout)?.[0] ?? '';
		expect([code, link.startsWith(`${ORIGIN}/#ticket=`)]).toEqual([0, true]);
		expect(stdout.split('\n').filter((line) => CODE.test(line))).toEqual(toQrLines(link, { colour: false }));
		expect(stdout).not.toContain('\x1b');
		const both = (await roost.roost('status', '--link')).stdout;
		expect(both).toMatch(
			/Open one of these .*\n {2}http:\/\/127\S+\n {2}https:\/\/roost\.tail1234\.ts\.net\/#ticket=\S+\n {2}https:\/\/b\.example\/#/,
		);
	});

	it('says what to do if no origin is configured, and prints only JSON with --json', async () => {
		await using roost = await startRunner();
		const { stdout } = await roost.roost('status', '--qr');
		expect(stdout).toContain('set web.origins in config.yaml');
		const link = /http:\S+#ticket=\S+/.exec(stdout)?.[0] ?? '';
		expect(stdout.split('\n').filter((line) => CODE.test(line))).toEqual(toQrLines(link, { colour: false }));
		const { link: printed } = JSON.parse((await roost.roost('status', '--qr', '--json')).stdout);
		expect(printed).toMatchObject({ url: expect.stringContaining('http://127.0.0.1'), elsewhere: [] });
	});
});

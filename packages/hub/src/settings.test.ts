import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { type HubFlags, toHubSettings } from './settings.ts';

type Config = Parameters<typeof toHubSettings>[0];

/** What a hub needs of its configuration; the rest is of a runner. */
const CONFIG = {
	name: 'hub',
	host: '127.0.0.1',
	port: 4100,
	urls: [],
	behindProxy: false,
	webhooks: {},
	notify: { runners: {} },
} as unknown as Config;
const HTTPS = 'https://hub.example.com';

const read = (flags: HubFlags, config: Partial<Config> = {}) => toHubSettings({ ...CONFIG, ...config }, flags);

describe('settings of a hub', () => {
	it.each([
		['loopback', {}],
		['IPv6 loopback', { host: '::1' }],
		['a name of loopback', { host: 'localhost' }],
		['loopback behind a proxy', { url: [HTTPS], behindProxy: true }],
		['loopback behind a proxy that is not named', { url: [HTTPS] }],
		['plain HTTP at loopback names', { url: ['http://localhost:4100', 'http://[::1]:4100', 'http://127.0.0.1:8080'] }],
		['the network behind a proxy', { host: '0.0.0.0', url: [HTTPS], behindProxy: true }],
		['the network, forced', { host: '0.0.0.0', url: ['http://hub.local:4100'], insecureHttp: true }],
	] as [string, HubFlags][])('accept %s', (_, flags) => {
		expect(unwrap(read(flags))).toMatchObject({ host: flags.host ?? '127.0.0.1' });
	});

	it.each([
		['the network without TLS', { host: '0.0.0.0', url: [HTTPS] }, 'needs TLS'],
		['IPv6 of the network without TLS', { host: '::', url: [HTTPS] }, 'needs TLS'],
		['an empty host', { host: '', url: [HTTPS] }, 'needs TLS'],
		['a name that only looks like loopback', { host: 'localhost.evil.com', url: [HTTPS] }, 'needs TLS'],
		['the network without an address', { host: '0.0.0.0', behindProxy: true }, 'Name the address'],
		['the network without an address, forced', { host: '0.0.0.0', insecureHttp: true }, 'Name the address'],
		['plain HTTP of the network', { url: ['http://hub.example.com'] }, 'plain HTTP'],
		['plain HTTP behind a proxy', { host: '0.0.0.0', behindProxy: true, url: ['http://hub.example.com'] }, 'plain HTTP'],
		['an address with a path', { url: [`${HTTPS}/roost`] }, 'is not an address'],
		['an address with a slash', { url: [`${HTTPS}/`] }, 'is not an address'],
		['an address in upper case', { url: ['https://Hub.example.com'] }, 'is not an address'],
		['no address at all', { url: ['hub.example.com'] }, 'is not an address'],
		['an address of another kind', { url: ['ftp://hub.example.com'] }, 'is not an address'],
		['the address of sockets', { url: ['wss://hub.example.com'] }, 'is not an address'],
		['a port that is no number', { port: 'http' }, 'whole number'],
		['a port that is too high', { port: '65536' }, 'whole number'],
		['a negative port', { port: '-1' }, 'whole number'],
		['half a certificate', { tlsCert: '/cert.pem' }, 'both files'],
		['a certificate that is not there', { tlsCert: '/nowhere/cert.pem', tlsKey: '/nowhere/key.pem' }, 'cannot be used: ENOENT'],
	] satisfies [string, HubFlags, string][])('refuse %s', (_, flags, sentence) => {
		const error = unwrapError(read(flags));
		expect([error.code, error.message]).toEqual(['usage', expect.stringContaining(sentence)]);
	});

	it('refuse a certificate that is damaged, before anything is opened', async () => {
		await using temp = await createTempDir();
		const [cert, key] = [join(temp.path, 'cert.pem'), join(temp.path, 'key.pem')];
		writeFileSync(cert, 'no certificate');
		writeFileSync(key, generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }));
		const flags = { host: '0.0.0.0', url: [HTTPS], tlsCert: cert, tlsKey: key };
		expect(unwrapError(read(flags)).message).toMatch(/^The certificate cannot be used: .+\. Check --tls-cert and --tls-key\.$/s);
	});

	it('prefer flags to the configuration', () => {
		const config = { host: '0.0.0.0', port: 1, urls: [HTTPS], behindProxy: true, database: 'postgresql://db/roost' };
		expect(unwrap(read({}, config))).toMatchObject({ host: '0.0.0.0', port: 1, origins: [HTTPS], database: config.database });
		const flags = { host: '127.0.0.1', port: '2', url: ['https://other.example.com'] };
		expect(unwrap(read(flags, config))).toMatchObject({ host: '127.0.0.1', port: 2, origins: flags.url });
	});
});

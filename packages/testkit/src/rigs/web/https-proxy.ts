// An https proxy in front of a runner, as a user has one: ends TLS with a certificate of its own and passes everything on.
import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { createTempDir } from '../temp-dir.ts';

export type HttpsProxy = AsyncDisposable & {
	/** Of its pages, for `web.origins`. */
	readonly origin: string;
	/** The hash of its key, for a browser that trusts it. */
	readonly keyHash: string;
	/** Where the runner listens; undefined refuses new connections. */
	forwardTo(port: number | undefined): void;
	/** Breaks every open connection at once. */
	cut(): void;
};

/** Browsers resolve every name below `localhost` to this machine. */
const NAME = 'roost.localhost';

export async function startHttpsProxy(): Promise<HttpsProxy> {
	const certificate = await makeCertificate();
	const clients = new Set<TLSSocket>();
	let port: number | undefined;
	const server = createServer(certificate, (client) => {
		if (port === undefined) {
			client.destroy();
			return;
		}
		const runner = connect(port, '127.0.0.1');
		clients.add(client);
		client.pipe(runner).pipe(client);
		client.on('error', () => runner.destroy());
		runner.on('error', () => client.destroy());
		client.on('close', () => {
			clients.delete(client);
			runner.destroy();
		});
		runner.on('close', () => client.destroy());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const own = typeof address === 'object' && address ? address.port : 0;
	return {
		origin: `https://${NAME}:${own}`,
		keyHash: toKeyHash(certificate.cert),
		forwardTo(to) {
			port = to;
		},
		cut() {
			for (const client of clients) client.destroy();
		},
		async [Symbol.asyncDispose]() {
			server.close();
		},
	};
}

async function makeCertificate(): Promise<{ key: string; cert: string }> {
	await using folder = await createTempDir();
	const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')];
	const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
	const names = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`];
	execFileSync('openssl', ['req', ...made, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
	return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

function toKeyHash(certificate: string): string {
	const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
	return createHash('sha256').update(key).digest('base64');
}

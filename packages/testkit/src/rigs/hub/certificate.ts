// A self-signed certificate of this machine's loopback names, made for a test.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export type TestCertificate = { cert: string; key: string };

/** `names`: as openssl writes them, such as `DNS:localhost`. Needs openssl. */
export function makeCertificate(folder: string, names = 'DNS:localhost,IP:127.0.0.1'): TestCertificate {
	const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
	const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key];
	const subject = ['-out', cert, '-days', '2', '-subj', '/CN=test hub', '-addext', `subjectAltName=${names}`];
	execFileSync('openssl', ['req', '-x509', ...curve, ...subject], { stdio: 'pipe' });
	return { cert, key };
}

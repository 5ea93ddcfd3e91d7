// The push services that Roost sends to. A subscription comes from a browser, so its address could name any server.
import { isIP } from 'node:net';

/** Of Chrome, Firefox, Safari and Edge. A dot at the start stands for every host below it. */
const KNOWN_HOSTS = ['fcm.googleapis.com', '.push.services.mozilla.com', '.push.apple.com', '.notify.windows.com'];

/** `added`: hosts that the user configured, with their port unless it is 443. Without https only on this machine. */
export function isPushEndpoint(endpoint: string, added: readonly string[]): boolean {
	const url = URL.parse(endpoint);
	if (url?.username !== '' || url.password !== '') return false;
	if (added.includes(url.host)) return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname));
	if (url.protocol !== 'https:' || url.port !== '') return false;
	return KNOWN_HOSTS.some((host) => (host.startsWith('.') ? url.hostname.endsWith(host) : url.hostname === host));
}

function isThisMachine(hostname: string): boolean {
	return hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
}

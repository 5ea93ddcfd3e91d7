// A remote's address as it may be shown: without the name and the secret that some people write into it.

/** A name before a host in `git@host:path` is no secret and belongs to the address; in a URL it may be a token. */
export function toShownRemote(remote: string): string {
	const url = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)(.*)$/is.exec(remote);
	if (!url) return remote.includes('://') ? '' : withoutPassword(remote);
	const [, scheme = '', authority = '', rest = ''] = url;
	const host = authority.slice(authority.lastIndexOf('@') + 1);
	const user = authority.slice(0, authority.length - host.length - 1);
	const kept = scheme.toLowerCase().includes('ssh') && /^[a-z0-9._-]+$/i.test(user) ? `${user}@` : '';
	return `${scheme}${kept}${host}${rest.replace(/[?#].*$/s, '')}`;
}

/** `user:secret@host:path` is no address that git knows, but people paste such things. */
function withoutPassword(remote: string): string {
	const at = remote.lastIndexOf('@');
	const user = remote.slice(0, Math.max(0, at));
	return /[:/]/.test(user) && !/^[./~]/.test(remote) ? remote.slice(at + 1) : remote;
}

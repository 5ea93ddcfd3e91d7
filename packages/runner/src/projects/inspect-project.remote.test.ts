import { describe, expect, it } from 'vitest';
import { toShownRemote } from './inspect-project.ts';

describe('remote URL', () => {
	it.each([
		['https://github.com/acme/app.git', 'https://github.com/acme/app.git'],
		['https://dev:s3cret@github.com/acme/app.git', 'https://github.com/acme/app.git'],
		['https://ghp_token@github.com/acme/app.git', 'https://github.com/acme/app.git'],
		['https://dev:s3cret@example.com:8443/a', 'https://example.com:8443/a'],
		['https://dev:a@s3cret@example.com/a', 'https://example.com/a'],
		['HTTPS://dev:s3cret@example.com/a', 'HTTPS://example.com/a'],
		['https://example.com/a?token=s3cret#s3cret', 'https://example.com/a'],
		['ssh://git@example.com/a', 'ssh://git@example.com/a'],
		['ssh://dev:s3cret@example.com/a', 'ssh://example.com/a'],
		['git+ssh://git@example.com:22/a', 'git+ssh://git@example.com:22/a'],
		['git@github.com:acme/app.git', 'git@github.com:acme/app.git'],
		['dev:s3cret@example.com:acme/app.git', 'example.com:acme/app.git'],
		['/srv/git/app.git', '/srv/git/app.git'],
		['../with@sign/app.git', '../with@sign/app.git'],
		['file:///srv/git/app.git', 'file:///srv/git/app.git'],
		['ext::sh -c s3cret://x', ''],
		['https://dev:s3cret\n@example.com/a', 'https://example.com/a'],
	])('%j is shown as %j', (remote, shown) => {
		expect(toShownRemote(remote)).toBe(shown);
		expect(toShownRemote(remote)).not.toContain('s3cret');
	});
});

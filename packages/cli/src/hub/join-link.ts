// A pairing link, as the hub prints it: its address, and in the fragment the code and the key that the hub has to prove.
import { devicePublicKey } from '@roost/protocol/api/devices';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

export type JoinLink = { url: string; code: string; key: string };

export function parseJoinLink(link: string): Result<JoinLink> {
	const url = URL.parse(link.trim());
	if (!url || !/^https?:$/.test(url.protocol) || !/\/join\/?$/.test(url.pathname)) return err(notALink());
	const given = new URLSearchParams(url.hash.slice(1));
	const code = given.get('code') ?? '';
	const key = devicePublicKey.safeParse(given.get('key'));
	if (!/^[\w-]{8,200}$/.test(code) || !key.success) return err(notALink());
	return ok({ url: url.origin, code, key: key.data });
}

function notALink(): AppError {
	const form = 'http://host/join#code=…&key=…';
	return new AppError(
		'usage',
		`This is not a whole pairing link: it looks like ${form}, in quotes. Run "roost hub invite" on the hub for one.`,
	);
}

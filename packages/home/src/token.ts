// The API token: 256 bits, created once, readable by this user only.
import { join } from 'node:path';
import { createPrivateFile, readPrivateFile } from '@roost/machine/private-file';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Home } from './home.ts';

type TokenSource = {
	home: Pick<Home, 'data'>;
	env: NodeJS.ProcessEnv;
	/** From the configuration. The environment takes precedence over `token`, and that over `tokenFile`. */
	auth?: { token?: string | undefined; tokenFile?: string | undefined };
};

/** Valid in a header, and too long to guess. */
const USABLE = /^[\x21-\x7e]{32,512}$/;

export function keepToken({ home, env, auth = {} }: TokenSource): Result<string> {
	if (env.ROOST_AUTH_TOKEN) return checkToken(env.ROOST_AUTH_TOKEN, 'ROOST_AUTH_TOKEN', 'set a longer one or unset it');
	if (auth.token) return checkToken(auth.token, 'auth.token', 'choose a longer one or remove the key');
	if (auth.tokenFile) return readTokenFile(auth.tokenFile);
	const path = join(home.data, 'token');
	const found = readPrivateFile(path);
	if (!found.ok) return found;
	if (found.value !== null) return checkTokenFile(path, found.value);
	const made = createPrivateFile(path, `${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')}\n`);
	// If several processes start at once, one of them created the file; all use its content.
	return made.ok ? readTokenFile(path) : made;
}

function readTokenFile(path: string): Result<string> {
	const text = readPrivateFile(path);
	if (!text.ok) return text;
	if (text.value === null) return err(new AppError('cannot_start', `No token found at ${path}. Put one there.`));
	return checkTokenFile(path, text.value);
}

function checkTokenFile(path: string, text: string): Result<string> {
	return checkToken(text.trim(), path, 'remove it, and a new one is made');
}

/** The error never shows the token. */
function checkToken(token: string, name: string, remedy: string): Result<string> {
	if (USABLE.test(token)) return ok(token);
	const found = `${token.length} characters`;
	return err(
		new AppError(
			'cannot_start',
			`The token in ${name} has ${found}; it needs 32 to 512 visible ASCII characters without spaces: ${remedy}.`,
		),
	);
}

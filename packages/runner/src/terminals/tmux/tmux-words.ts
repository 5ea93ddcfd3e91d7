// The one place where text becomes tmux's language: words that tmux reads back as exactly these bytes, and targets that mean one session.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

const NAME = /^[a-z0-9-]{1,32}$/;

export function isTmuxName(name: string): boolean {
	return NAME.test(name);
}

/** `=` asks for exactly this session, where tmux would else take any that begins so; an empty name would mean any. */
export function toTmuxTarget(name: string): Result<string> {
	if (isTmuxName(name)) return ok(`=${name}:`);
	const allowed = 'small letters, digits and dashes, at most 32 of them';
	return err(new AppError('bad_request', `${JSON.stringify(name)} is no name for a terminal; it takes ${allowed}.`));
}

/**
 * One line of a script for `source-file`. Whatever could mean something is written as an octal byte, so that neither
 * variables, key names, separators nor the leading spaces that tmux drops after a line break are ever seen in it.
 */
export function toTmuxLine(words: readonly string[]): Result<string> {
	if (words.some((word) => word.includes('\0')))
		return err(new AppError('bad_request', 'A terminal takes no zero bytes in arguments, variables or text; leave them out.'));
	return ok(`${words.map(quote).join(' ')}\n`);
}

function quote(word: string): string {
	return `"${Buffer.from(word)
		.toString('latin1')
		.replaceAll(/[^A-Za-z0-9_./-]/g, toOctal)}"`;
}

function toOctal(byte: string): string {
	return `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`;
}

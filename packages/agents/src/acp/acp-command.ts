// `acp:<command>` as an agent's name: any program that speaks the Agent Client Protocol, with its arguments. No shell reads it.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

const PREFIX = 'acp:';
const LONGEST = 200;
/** Words that mean the same to everybody: no quotes, no variables, no patterns. */
const WORD = /^[\w@%+=:,./-]+$/;

export function isAcpName(name: string): boolean {
	return name.startsWith(PREFIX);
}

/** The program and its arguments, and the one name that this command has, however it was written. */
export function parseAcpName(name: string): Result<{ name: string; argv: readonly [string, ...string[]] }> {
	const [program, ...args] = name
		.slice(PREFIX.length)
		.split(' ')
		.filter((word) => word !== '');
	if (program === undefined || name.length > LONGEST)
		return refused(`expected a program after "acp:", in at most ${LONGEST} characters`);
	const odd = [program, ...args].find((word) => !WORD.test(word));
	if (odd !== undefined) return refused(`no shell reads it, so it takes plain words without quotes and signs`);
	if (program.startsWith('-')) return refused('the first word is the program');
	if (program.includes('/') && !program.startsWith('/')) return refused('its program is a name on your PATH or an absolute path');
	return ok({ name: `${PREFIX}${[program, ...args].join(' ')}`, argv: [program, ...args] });
}

function refused(why: string): Result<never> {
	const instead = 'such as "acp:gemini --acp", or configure it as agents.<id>.command in config.yaml';
	return err(new AppError('bad_request', `This is not the command of an agent: ${why}; ${instead}.`));
}

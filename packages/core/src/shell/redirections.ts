// What a command reads from and which files it writes to by redirection.
import type { Redirect, Redirection } from 'unbash';
import { staticValue } from './words.ts';

/** A file opened for writing; `append` keeps what was there. The target is undefined where an expansion decides it. */
export type FileWrite = { append: boolean; target: string | undefined };

export type Redirections = {
	/** Redirections that feed the command, as they stand in its text. */
	reads: string[];
	writes: FileWrite[];
	opaque: string | undefined;
};

export function toRedirections(redirects: readonly Redirection[]): Redirections {
	const result: Redirections = { reads: [], writes: [], opaque: undefined };
	for (const redirect of redirects) {
		if (redirect.descriptor?.type === 'FileDescriptorVariable') result.opaque ??= 'a redirection sets a variable';
		if (redirect.type === 'HereDoc') result.reads.push(`${redirect.operator}${redirect.delimiter?.text ?? ''}`);
		else if (redirect.type === 'HereString') result.reads.push(`<<<${redirect.target?.text ?? ''}`);
		else addRedirect(redirect, result);
	}
	return result;
}

function addRedirect(redirect: Redirect, result: Redirections): void {
	const target = redirect.target === undefined ? undefined : staticValue(redirect.target);
	if (target !== undefined && HARMLESS_TARGET.test(target)) return;
	if (redirect.operator.endsWith('&') && target !== undefined && DESCRIPTOR.test(target)) return;
	if (target !== undefined && NETWORK.test(target)) result.opaque ??= 'a redirection opens a network connection';
	if (redirect.operator === '<' || redirect.operator === '<&') addRead(redirect, target, result);
	else result.writes.push({ append: redirect.operator.endsWith('>>'), target });
}

function addRead(redirect: Redirect, target: string | undefined, result: Redirections): void {
	const substituted = redirect.target?.parts?.every((part) => part.type === 'ProcessSubstitution') ?? false;
	if (target === undefined && !substituted) result.opaque ??= 'what it reads from is decided by an expansion';
	result.reads.push(`${redirect.operator}${redirect.target?.text ?? ''}`);
}

const HARMLESS_TARGET = /^\/dev\/(?:null|stdin|stdout|stderr)$/;
const DESCRIPTOR = /^(?:\d+-?|-)$/;
const NETWORK = /^\/+dev\/+(?:tcp|udp)\//;

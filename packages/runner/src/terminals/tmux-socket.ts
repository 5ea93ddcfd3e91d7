// Where Roost's tmux server listens: in a directory of this user alone, under a path that is short enough.
import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { hookSocketPath } from '@roost/agents/hooks/socket-listener';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

const LONGEST_BYTES = 103;
const WRITABLE_BY_OTHERS = 0o022;

/** The path that config.yaml names (`pty.tmuxSocketPath`), else one in the run directory. */
export function tmuxSocket(runDir: string, configured?: string): Result<string> {
	if (configured === undefined) return hookSocketPath(runDir, 'tmux');
	if (Buffer.byteLength(configured) > LONGEST_BYTES)
		return unsafe(configured, `is longer than the ${LONGEST_BYTES} bytes that a socket may have`);
	const why = whyUnsafe(dirname(configured));
	return why === null ? ok(configured) : unsafe(configured, why);
}

/** Whoever can write there could put a server of their own in our place. */
function whyUnsafe(directory: string): string | null {
	try {
		const found = lstatSync(directory);
		if (!found.isDirectory()) return 'lies behind a link or a file';
		if (process.getuid && found.uid !== process.getuid()) return 'lies in a directory of another user';
		return (found.mode & WRITABLE_BY_OTHERS) === 0 ? null : 'lies in a directory that others can write to';
	} catch {
		// Absent or closed to us: either way no socket can be there.
		return 'lies in a directory that is not there';
	}
}

function unsafe(path: string, why: string): Result<never> {
	return err(new AppError('unsafe_path', `pty.tmuxSocketPath ${why} (${path}); name another in config.yaml, or leave it out.`));
}

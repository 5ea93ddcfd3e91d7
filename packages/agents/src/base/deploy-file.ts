// A file for an agent that Roost starts, outside its worktree and readable by this user alone.
import { writePrivateFile } from '@roost/machine/private-file';

/** Its path. Throws an `AppError` where it cannot be written: an agent is not started with half of what it needs. */
export function deployFile(directory: string, content: string | object, name: string): string {
	const written = writePrivateFile(directory, content, name);
	if (!written.ok) throw written.error;
	return written.value;
}

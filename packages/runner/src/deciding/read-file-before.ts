// The current content of the file that a pending call would write, for a diff. Only regular files of the session's project
// are read, never through a link, and the content is redacted.
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Redactor } from '@roost/core/redaction/redact';
import { findProjectOf } from '@roost/home/project';
import { readText, unlessHidden } from '@roost/machine/foreign-file';
import type { FileBefore } from '@roost/protocol/api/asks';
import type { AskRow } from '@roost/protocol/ask';
import type { SessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';

/** Undefined if the call writes no file or is decided. */
export type ReadFileBefore = (ask: AskRow) => Promise<FileBefore | undefined>;

const MOST_BYTES = 256 * 1024;
const FILE_TOOLS = new Set(['Write', 'Edit', 'MultiEdit']);
/** Files for secrets, which redaction may not recognise. */
const SECRET_FILES =
	/(?:^|\/)(?:\.env(?:\.[^/]*)?|\.envrc|\.netrc|\.npmrc|\.pypirc|\.ssh|\.gnupg|\.aws|\.kube|\.docker|\.config\/gh|[^/]*\.(?:pem|key|p12|pfx|keystore|kdbx))(?:\/|$)/i;

export function createReadFileBefore(deps: {
	sessionOf: (id: SessionId) => SessionRow | undefined;
	redactor: Redactor;
}): ReadFileBefore {
	return async (ask) => {
		const { file_path: path } = ask.input;
		const session = deps.sessionOf(ask.sessionId);
		if (ask.state !== 'pending' || !FILE_TOOLS.has(ask.tool) || typeof path !== 'string' || !session) return undefined;
		const file = await readIn(session, resolve(session.drive?.cwd ?? session.projectPath, path));
		return file.state === 'text' ? { ...file, text: deps.redactor.redact(file.text).value } : file;
	};
}

async function readIn(session: SessionRow, path: string): Promise<FileBefore> {
	const folder = await unlessHidden(realpath(dirname(path)));
	if (folder === null) return { state: 'absent' };
	if (!(await isOfProject(session, folder))) return { state: 'unread', why: 'it is outside the project' };
	const real = join(folder, basename(path));
	if (SECRET_FILES.test(real)) return { state: 'unread', why: 'it may contain secrets' };
	const read = await readText(real, { mostBytes: MOST_BYTES, refuse: (found) => refuse(found, real) });
	if (read.kind === 'absent') return { state: 'absent' };
	if (read.kind === 'refused') return { state: 'unread', why: read.why };
	return read.cut ? { state: 'unread', why: `it is larger than ${MOST_BYTES / 1024} KiB` } : { state: 'text', text: read.text };
}

/** Worktrees of a project may be anywhere. */
async function isOfProject({ projectPath }: SessionRow, folder: string): Promise<boolean> {
	if (folder === projectPath || folder.startsWith(projectPath.endsWith(sep) ? projectPath : `${projectPath}${sep}`)) return true;
	const project = await findProjectOf(folder);
	return project.ok && project.value.path === projectPath;
}

function refuse({ realPath, links }: { realPath: string; links: number }, expected: string): string | undefined {
	if (realPath !== expected) return 'it is a symbolic link';
	return links > 1 ? 'it has more than one hard link' : undefined;
}

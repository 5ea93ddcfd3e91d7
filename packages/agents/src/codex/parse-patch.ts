// Which files a patch of Codex changes, as its own words say it. Pure.

/** What a patch does to one file. `text` is the whole of a new file, and the changed places of another. */
export type FileChange = { path: string; kind: 'add' | 'update' | 'delete'; text: string; movedTo?: string | undefined };

const FILE = /^\*\*\* (?<verb>Add|Update|Delete) File: (?<path>.+)$/;
const MOVE = /^\*\*\* Move to: (?<path>.+)$/;
const KINDS = { Add: 'add', Update: 'update', Delete: 'delete' } as const;

/** None where it is no patch. Lines that belong to no file are left out. */
export function parsePatch(patch: string): FileChange[] {
	const changes: FileChange[] = [];
	const bodies: string[][] = [];
	for (const line of patch.split('\n').map((each) => each.replace(/\r$/, ''))) {
		const { verb, path } = FILE.exec(line.trimEnd())?.groups ?? {};
		const last = changes.at(-1);
		const movedTo = MOVE.exec(line.trimEnd())?.groups?.path;
		if (isVerb(verb) && path !== undefined) {
			changes.push({ path: path.trim(), kind: KINDS[verb], text: '' });
			bodies.push([]);
		} else if (movedTo !== undefined && last) last.movedTo = movedTo.trim();
		else if (!/^\*\*\* (?:Begin|End) (?:Patch|of File)/.test(line)) bodies.at(-1)?.push(line);
	}
	return changes.map((change, at) => ({ ...change, text: toText(change.kind, bodies[at] ?? []) }));
}

function isVerb(verb: string | undefined): verb is keyof typeof KINDS {
	return verb !== undefined && Object.hasOwn(KINDS, verb);
}

/** A new file's lines each begin with a plus that is not part of it. */
function toText(kind: FileChange['kind'], lines: readonly string[]): string {
	if (kind !== 'add') return lines.join('\n').trimEnd();
	return lines
		.filter((line) => line.startsWith('+'))
		.map((line) => `${line.slice(1)}\n`)
		.join('');
}

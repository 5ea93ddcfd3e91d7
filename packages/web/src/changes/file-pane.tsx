// One changed file with its diff. It keeps the rows that it shows when the file changes, and offers the new ones.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { ChangedFile, KnownChanges } from '@roost/protocol/api/changes';
import type { SessionId } from '@roost/protocol/ids';
import { useState } from 'react';
import { Button } from '../parts/button.tsx';
import { NotRead } from '../parts/reading.tsx';
import styles from './changes.module.css';
import { DiffView } from './diff-view.tsx';
import type { Drafts } from './drafts.ts';
import { Counts, FileName } from './file-list.tsx';
import { useDiff } from './use-diff.ts';
import type { DraftActions } from './use-drafts.ts';

type FilePaneProps = {
	readonly id: SessionId;
	readonly changes: KnownChanges;
	/** As it was when it was opened. */
	readonly file: ChangedFile;
	readonly drafts: Drafts & DraftActions;
	readonly canComment: boolean;
	onBack(): void;
};

/** The same content compared with the same base. */
function versionOf({ id }: KnownChanges, file: ChangedFile | undefined): string {
	return file ? `${id.split('.')[0]} ${file.hash} ${file.oldPath ?? ''}` : '';
}

export function FilePane(props: FilePaneProps) {
	const { changes, file } = props;
	const [shown, setShown] = useState({ changes, file });
	const latest = changes.files.find(({ path }) => path === file.path);
	const version = versionOf(shown.changes, shown.file);
	const isLatest = versionOf(changes, latest) === version;
	return (
		<article className={styles.pane} aria-label={sanitiseLine(file.path)}>
			<header className={styles.paneHead}>
				<span className={styles.back}>
					<Button onClick={props.onBack}>Files</Button>
				</span>
				<div className={styles.names}>
					<h2>
						<FileName file={shown.file} />
					</h2>
					{shown.file.oldPath === undefined ? null : (
						<p className={styles.from}>renamed from {sanitiseLine(shown.file.oldPath)}</p>
					)}
				</div>
				<Counts file={shown.file} comments={0} />
			</header>
			{isLatest ? null : (
				<p className={styles.changed} role="status">
					{latest ? 'This file has changed since.' : 'This file no longer differs.'}
					<Button onClick={() => (latest ? setShown({ changes, file: latest }) : props.onBack())}>
						{latest ? 'Show the new version' : 'Close'}
					</Button>
				</p>
			)}
			<FileDiff key={version} {...props} changes={isLatest ? changes : shown.changes} />
		</article>
	);
}

function FileDiff({ id, changes, file, drafts, canComment }: FilePaneProps) {
	const diff = useDiff(id, changes.id, file.path);
	const { total, why, problem, again } = diff;
	if (total === undefined) return <NotRead problem={problem} again={again} />;
	if (why !== undefined) return <p className={styles.plain}>{sanitiseLine(why)}</p>;
	if (total === 0) return <p className={styles.plain}>No lines to show.</p>;
	const comments = drafts.comments.filter(({ path }) => path === file.path);
	return (
		<>
			{problem === undefined ? null : <p role="alert">{problem}</p>}
			<DiffView path={file.path} actions={drafts} {...{ diff, total, comments, canComment }} />
		</>
	);
}

// The changed files: what happened to each, how many lines, and how many comments it has.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { ChangedFile, KnownChanges } from '@roost/protocol/api/changes';
import styles from './changes.module.css';
import type { DraftComment } from './drafts.ts';

const SIGNS = { added: 'A', untracked: 'U', modified: 'M', deleted: 'D', renamed: 'R' } as const;

type FileListProps = {
	readonly changes: KnownChanges;
	readonly comments: readonly DraftComment[];
	readonly selected: string | undefined;
	onSelect(path: string): void;
};

export function FileList({ changes: { files, more, leftOut }, comments, selected, onSelect }: FileListProps) {
	return (
		<div className={styles.files}>
			<ul aria-label="Changed files">
				{files.map((file) => (
					<li key={file.path}>
						<button
							type="button"
							data-file={file.path}
							aria-current={file.path === selected ? 'true' : undefined}
							onClick={() => onSelect(file.path)}
						>
							<span className={styles.status} data-status={file.status} title={file.status}>
								<span aria-hidden="true">{SIGNS[file.status]}</span>
								<span className={styles.hidden}>{file.status}</span>
							</span>
							<FileName file={file} />
							<Counts file={file} comments={comments.filter(({ path }) => path === file.path).length} />
						</button>
					</li>
				))}
			</ul>
			{more > 0 ? <p className={styles.note}>{more} more files are not listed.</p> : null}
			{leftOut.length > 0 ? (
				<details className={styles.note}>
					<summary>{leftOut.length === 1 ? '1 file is not compared' : `${leftOut.length} files are not compared`}</summary>
					<ul>
						{leftOut.map(({ path, why }) => (
							<li key={path}>
								{sanitiseLine(path)}: {why}
							</li>
						))}
					</ul>
				</details>
			) : null}
		</div>
	);
}

/** The name matters more than its folder, so that is cut first. */
export function FileName({ file: { path, oldPath } }: { file: Pick<ChangedFile, 'path' | 'oldPath'> }) {
	const end = path.lastIndexOf('/') + 1;
	return (
		<span className={styles.path} title={sanitiseLine(oldPath === undefined ? path : `${oldPath} → ${path}`)}>
			<span className={styles.name}>{sanitiseLine(path.slice(end))}</span>
			<span className={styles.folder}>{sanitiseLine(path.slice(0, Math.max(0, end - 1)))}</span>
		</span>
	);
}

export function Counts({ file: { kind, added, removed }, comments }: { file: ChangedFile; comments: number }) {
	return (
		<span className={styles.counts}>
			{comments > 0 ? (
				<span className={styles.commented}>
					<span aria-hidden="true">✎</span>
					{comments}
					<span className={styles.hidden}>{comments === 1 ? ' comment' : ' comments'}</span>
				</span>
			) : null}
			{kind && kind !== 'symlink' ? <span>{kind}</span> : null}
			{added > 0 ? <span className={styles.added}>+{added}</span> : null}
			{removed > 0 ? <span className={styles.removed}>−{removed}</span> : null}
		</span>
	);
}

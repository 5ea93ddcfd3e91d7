// The whole input of a call: a command, a diff, or its fields. Nothing is cut.
import { sanitiseBlock, sanitiseLine } from '@roost/core/display/sanitise';
import { editOf } from '@roost/core/display/tools/edits';
import { textAt } from '@roost/core/display/tools/fields';
import type { AskDetail } from '@roost/protocol/api/asks';
import type { AskRow } from '@roost/protocol/ask';
import { memo } from 'react';
import { DiffLines } from '../parts/diff-lines.tsx';
import { LongText } from '../parts/long-text.tsx';
import styles from './asks.module.css';

type Shown = Pick<AskRow, 'tool' | 'input'> & { file?: AskDetail['file'] };

/** Remembered by request: the page renders every second, and the diff of a large edit is not free. */
export const AskInput = memo(function AskInput({ ask }: { ask: Shown }) {
	const command = textAt(ask.input, 'command');
	const before = ask.file?.state === 'text' ? ask.file.text : undefined;
	const edit = editOf(ask.tool, ask.input, undefined, before);
	const rest = Object.entries(ask.input).filter(
		([name]) => !(command !== undefined && name === 'command') && !edit?.shown.includes(name),
	);
	return (
		<div className={styles.input}>
			{command === undefined ? null : <LongText part="command">{sanitiseBlock(command)}</LongText>}
			{edit ? (
				<>
					<p className={styles.path}>
						{sanitiseLine(textAt(ask.input, 'file_path') ?? textAt(ask.input, 'notebook_path') ?? '')}
					</p>
					<DiffLines hunks={edit.hunks} />
				</>
			) : null}
			{rest.length === 0 ? null : (
				<dl className={styles.fields}>
					{rest.map(([name, value]) => (
						<div key={name}>
							<dt>{sanitiseLine(name)}</dt>
							<dd>
								<LongText>{sanitiseBlock(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</LongText>
							</dd>
						</div>
					))}
				</dl>
			)}
		</div>
	);
});

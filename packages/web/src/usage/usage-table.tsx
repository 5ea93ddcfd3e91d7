// The figures of a report as a table: short for reading, and exact in the markup.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { amountInWords, costInWords } from '@roost/core/views/usage-report-words';
import type { UsageGroup, UsageReport } from '@roost/protocol/api/usage';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import { Link } from 'wouter';
import styles from './usage.module.css';

type Amounts = UsageReport['total'];

const COLUMNS: readonly { title: string; key: keyof TokenUsage }[] = [
	{ title: 'Input', key: 'input_tokens' },
	{ title: 'Output', key: 'output_tokens' },
	{ title: 'Cache read', key: 'cache_read_tokens' },
	{ title: 'Cache write', key: 'cache_write_tokens' },
	{ title: 'Reasoning', key: 'reasoning_tokens' },
];

export function UsageTable({ report: { by, groups, total } }: { report: UsageReport }) {
	// Reasoning only if it was reported.
	const columns = COLUMNS.filter(({ key }) => key !== 'reasoning_tokens' || total.tokens.reasoning_tokens);
	const most = Math.max(...groups.map(({ costUsdEstimate }) => costUsdEstimate)) || 1;
	const newestFirst = by === 'day' ? groups.toReversed() : groups;
	return (
		<section className={styles.scroll} aria-label="Figures">
			<table className={styles.table}>
				<thead>
					<tr>
						<th scope="col">{by}</th>
						<th scope="col">Estimate</th>
						{columns.map(({ title, key }) => (
							<th key={key} scope="col">
								{title}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{newestFirst.map((group, at) => (
						<tr key={group.key} data-group={group.key}>
							<th scope="row" style={{ backgroundSize: `${(100 * group.costUsdEstimate) / most}% 100%` }}>
								<Name group={group} by={by} isFirst={at === 0} />
							</th>
							<Figures amounts={group} columns={columns} />
						</tr>
					))}
				</tbody>
				<tfoot>
					<tr data-group="total">
						<th scope="row">Total</th>
						<Figures amounts={total} columns={columns} />
					</tr>
				</tfoot>
			</table>
		</section>
	);
}

type NameProps = { group: UsageGroup; by: UsageReport['by']; isFirst: boolean };

/** With Tab the first is reached, so that the table can be scrolled; `j` and `k` reach all. */
function Name({ group: { key, title }, by, isFirst }: NameProps) {
	const words = sanitiseLine(title || key || 'unknown');
	if (by === 'session') {
		return (
			<Link href={`/s/${key}`} data-row={key}>
				{words}
			</Link>
		);
	}
	return (
		<span tabIndex={isFirst ? 0 : -1} data-row={key}>
			{words}
		</span>
	);
}

function Figures({ amounts, columns }: { amounts: Amounts; columns: typeof COLUMNS }) {
	return (
		<>
			<td>
				<data value={amounts.costUsdEstimate}>{costInWords(amounts)}</data>
			</td>
			{columns.map(({ key }) => (
				<td key={key}>
					<data value={amounts.tokens[key] ?? 0} title={String(amounts.tokens[key] ?? 0)}>
						{amountInWords(amounts.tokens[key] ?? 0)}
					</data>
				</td>
			))}
		</>
	);
}

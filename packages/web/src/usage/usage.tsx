// Tokens and cost at list price, by day, project, agent, model or session.
import { plural } from '@roost/core/display/plural';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { allTokens, amountInWords, costInWords, priceNotes } from '@roost/core/views/usage-report-words';
import { type UsageReport, usageBy } from '@roost/protocol/api/usage';
import { lazy, Suspense } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useConnected } from '../data/use-connected.ts';
import { useRead } from '../data/use-read.ts';
import { LinkTabs } from '../parts/link-tabs.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { NotRead } from '../parts/reading.tsx';
import styles from './usage.module.css';
import { FIGURES, firstDay, parseUsageAddress, SPANS, toUsageAddress, type UsageAddress } from './usage-address.ts';
import { UsageTable } from './usage-table.tsx';

const UsageChart = lazy(async () => ({ default: (await import('./usage-chart.tsx')).UsageChart }));

const BY_WORDS = { day: 'Day', project: 'Project', agent: 'Agent', model: 'Model', session: 'Session' } as const;
const SPAN_WORDS = { '7d': '7 days', '30d': '30 days', '90d': '90 days', all: 'All' } as const;
const FIGURE_WORDS = { cost: 'Cost', tokens: 'Tokens' } as const;

export function Usage() {
	const { api } = useConnected();
	const [params] = useSearchParams();
	const address = parseUsageAddress(params);
	const { by, since } = address;
	const report = useRead(`usage ${by} ${since}`, () => api.record.usage({ by, since: firstDay(since, Date.now()) }));
	return (
		<Page title="Usage" actions={<Choice label="Time" name="since" values={SPANS} words={SPAN_WORDS} address={address} />}>
			<div className={styles.choices}>
				<Choice label="Group by" name="by" values={usageBy.options} words={BY_WORDS} address={address} />
				{by === 'day' ? <Choice label="Chart" name="show" values={FIGURES} words={FIGURE_WORDS} address={address} /> : null}
			</div>
			{report.value === undefined ? <NotRead {...report} /> : <Report report={report.value} address={address} />}
		</Page>
	);
}

type ChoiceProps<T extends string> = {
	label: string;
	/** The part of the address that it changes. */
	name: keyof UsageAddress;
	values: readonly T[];
	words: Readonly<Record<T, string>>;
	address: UsageAddress;
};

function Choice<T extends string>({ label, name, values, words, address }: ChoiceProps<T>) {
	const tabs = values.map((value) => ({
		href: toUsageAddress({ ...address, [name]: value }),
		words: words[value],
		isCurrent: address[name] === value,
	}));
	return <LinkTabs label={label} tabs={tabs} />;
}

function Report({ report, address }: { report: UsageReport; address: UsageAddress }) {
	const { total, groups, by } = report;
	if (groups.length === 0) return <NoUsage address={address} />;
	return (
		<>
			<p className={styles.total}>
				<strong>{costInWords(total)}</strong>
				{` for ${amountInWords(allTokens(total.tokens))} tokens in ${plural(total.sessions, 'session')}`}
			</p>
			{by === 'day' ? (
				<Suspense fallback={<div className={styles.figure} />}>
					<UsageChart groups={groups} figure={address.show} />
				</Suspense>
			) : null}
			<UsageTable report={report} />
			<p className={styles.notes}>{sanitiseLine(priceNotes(report).join(' '))}</p>
		</>
	);
}

function NoUsage({ address }: { address: UsageAddress }) {
	if (address.since === 'all') return <Empty>No usage yet. Agents report it when they answer a prompt.</Empty>;
	return (
		<Empty>
			<p>No usage in this time.</p>
			<Link href={toUsageAddress({ ...address, since: 'all' })}>Show everything on record</Link>
		</Empty>
	);
}

// In place of a part of the page that could not be loaded.
import styles from './parts.module.css';

export function NotLoaded() {
	return (
		<section>
			<div className={styles.failed} role="alert">
				<p>This page could not be loaded. Reload it when the runner is back.</p>
				<button type="button" onClick={() => location.reload()}>
					Reload
				</button>
			</div>
		</section>
	);
}

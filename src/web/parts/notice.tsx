import type { Notice } from '../guard/notices.ts';

export function NoticeLine({ notice }: { readonly notice: Notice | null }) {
  if (notice === null) return null;
  return (
    <p class={`notice notice-${notice.tone}`} role={notice.tone === 'bad' ? 'alert' : 'status'}>
      {notice.text}
    </p>
  );
}

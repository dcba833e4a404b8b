/** Undefined where no worker is, or may be: browsers reject this for sites that they refuse storage to. */
export async function workerRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  try {
    return await workers?.getRegistration();
  } catch {
    return undefined;
  }
}

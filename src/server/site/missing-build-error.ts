/**
 * There is no built web app. The message tells the operator what to do. In a file of its own, because the operator's
 * commands need the class and not the files of the app.
 */
export class MissingBuildError extends Error {
  override readonly name = "MissingBuildError";
}

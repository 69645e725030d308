"""Trace each attempt with OpenTelemetry, and keep personal data out of your own logs.

Needs opentelemetry-sdk. Reads COMPLIANCE_BASE_URL and COMPLIANCE_API_KEY.
"""

import logging
import time
from typing import cast

from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor

from compliance_onboarding import ComplianceOnboarding, Model, ResponseEvent

provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter()))
trace.set_tracer_provider(provider)
tracer = trace.get_tracer("onboarding")


def traced(event: ResponseEvent) -> None:
    """Make a span of an attempt that has ended; `path` is the template, so that no identifier is in it."""
    now = time.time_ns()
    span = tracer.start_span(f"{event.method} {event.path}", start_time=now - int(event.seconds * 1e9))
    span.set_attribute("http.request.method", event.method)
    span.set_attribute("url.template", event.path)
    span.set_attribute("http.request.resend_count", event.attempt - 1)
    if event.status is not None:
        span.set_attribute("http.response.status_code", event.status)
    if event.error is not None:
        span.set_attribute("error.type", event.error)
    span.end(now)


def without_personal_data(value: object) -> object:
    """Return an object of the API as data, with `***` for what the contract marks `x-pii` or does not know.

    Maps, and members that could not be read (`parse_errors`), pass as they are.
    """
    if isinstance(value, list):
        return [without_personal_data(item) for item in cast("list[object]", value)]
    if not isinstance(value, Model):
        return value
    fields = type(value).model_fields
    extras = {name: cast("dict[str, object]", field.json_schema_extra or {}) for name, field in fields.items()}
    shown = {name for name, extra in extras.items() if "x-pii" not in extra}
    return {name: without_personal_data(member) if name in shown else "***" for name, member in value}


class Redactor(logging.Filter):
    """Masks the objects of the API among the arguments of a log line."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record, and let it pass."""
        if isinstance(record.args, tuple):
            record.args = tuple(without_personal_data(argument) for argument in record.args)
        return True


logging.basicConfig(level=logging.INFO)
log = logging.getLogger("onboarding")
log.addFilter(Redactor())

with ComplianceOnboarding(on_response=traced) as client:
    application = client.applications.create(purpose="account_opening", applicant={"full_name": "Ana Souza"})
    log.info("opened %s", application)
    log.info("the applicant: %s", [application.applicant])

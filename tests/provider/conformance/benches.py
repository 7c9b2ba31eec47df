"""The benches that the suite runs on: a provider joins by adding a line."""

from tests.provider.conformance.bench import OpenBench
from tests.provider.conformance.mammotion_bench import open_cloud
from tests.provider.conformance.simulator_bench import open_large, open_small
from tests.provider.conformance.template_bench import open_template, open_template_without_areas

BENCHES: dict[str, OpenBench] = {
    "mammotion-cloud": open_cloud,
    "simulator-small": open_small,
    "simulator-large": open_large,
    "template": open_template,
    "template-without-areas": open_template_without_areas,
}

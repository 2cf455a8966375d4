"""Mailman 3: converts a posting before the list changes it, archives it and signs it.

Put this folder where Mailman's Python finds it, and name it in mailman.cfg:

    [plugin.septet_mailman]
    class: septet_mailman.Plugin
    enabled: yes

A list converts its mail once its posting_pipeline is "converting-pipeline" (Postorius: Settings, Alter Messages, Pipeline).
"""

from mailman.interfaces.plugin import IPlugin
from zope.interface import implementer


@implementer(IPlugin)
class Plugin:
    """What Mailman asks of a plugin: no hooks, no REST."""

    resource = None

    def pre_hook(self):
        pass

    def post_hook(self):
        pass
